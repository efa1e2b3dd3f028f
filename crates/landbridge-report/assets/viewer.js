/*! @deck.gl/core 9.4.0 MIT; @deck.gl/layers 9.4.0 MIT; @loaders.gl/core 4.5.4 MIT; @loaders.gl/images 4.5.4 MIT; @loaders.gl/loader-utils 4.5.4 MIT; @loaders.gl/schema-utils 4.5.4 MIT; @loaders.gl/worker-utils 4.5.4 MIT; @luma.gl/core 9.4.2 MIT; @luma.gl/engine 9.4.2 MIT; @luma.gl/gpgpu 9.4.2 MIT; @luma.gl/shadertools 9.4.2 MIT; @luma.gl/webgl 9.4.2 MIT; @mapbox/tiny-sdf 2.3.0 BSD-2-Clause; @math.gl/core 4.1.0 MIT; @math.gl/polygon 4.1.0 MIT; @math.gl/sun 4.1.0 MIT; @math.gl/types 4.1.0 MIT; @math.gl/web-mercator 4.1.0 MIT; @probe.gl/env 4.1.2 MIT; @probe.gl/log 4.1.2 MIT; @probe.gl/stats 4.1.2 MIT; apache-arrow 21.2.0 Apache-2.0; earcut 2.2.4 ISC; flatbuffers 25.9.23 Apache-2.0; mjolnir.js 3.1.1 MIT; tslib 2.9.1 0BSD; uplot 1.6.32 MIT */
"use strict";(()=>{var iM=Object.defineProperty;var P=(r,e,t)=>()=>{if(t)throw t[0];try{return r&&(e=r(r=0)),e}catch(n){throw t=[n],n}};var zn=(r,e)=>{for(var t in e)iM(r,t,{get:e[t],enumerable:!0})};var Za,wR,$u,vR,rw,jp=P(()=>{Za=globalThis,wR=globalThis.document||{},$u=globalThis.process||{},vR=globalThis.console,rw=globalThis.navigator||{}});function Vu(r){if(typeof window<"u"&&window.process?.type==="renderer"||typeof process<"u"&&process.versions?.electron)return!0;let e=typeof navigator<"u"&&navigator.userAgent,t=r||e;return!!(t&&t.indexOf("Electron")>=0)}var Hp=P(()=>{});function or(){return!(typeof process=="object"&&String(process)==="[object process]"&&!process?.browser)||Vu()}var Yp=P(()=>{Hp()});function qp(r){return!r&&!or()?"Node":Vu(r)?"Electron":(r||rw.userAgent||"").indexOf("Edge")>-1?"Edge":globalThis.chrome?"Chrome":globalThis.safari?"Safari":globalThis.mozInnerScreenX?"Firefox":"Unknown"}var nw=P(()=>{Yp();Hp();jp()});var Xp,ns=P(()=>{jp();Yp();nw();Xp="4.1.2"});function Lo(r,e){if(!r)throw new Error(e||"Assertion failed")}var Zp=P(()=>{});function Kp(r){if(!r)return 0;let e;switch(typeof r){case"number":e=r;break;case"object":e=r.logLevel||r.priority||0;break;default:return 0}return Lo(Number.isFinite(e)&&e>=0),e}function iw(r){let{logLevel:e,message:t}=r;r.logLevel=Kp(e);let n=r.args?Array.from(r.args):[];for(;n.length&&n.shift()!==t;);switch(typeof e){case"string":case"function":t!==void 0&&n.unshift(t),r.message=e;break;case"object":Object.assign(r,e);break;default:}typeof r.message=="function"&&(r.message=r.message());let i=typeof r.message;return Lo(i==="string"||i==="object"),Object.assign(r,{args:n},r.opts)}var sw=P(()=>{Zp()});var is,Wu,ow=P(()=>{sw();is=()=>{},Wu=class{constructor({level:e=0}={}){this.userData={},this._onceCache=new Set,this._level=e}set level(e){this.setLevel(e)}get level(){return this.getLevel()}setLevel(e){return this._level=e,this}getLevel(){return this._level}warn(e,...t){return this._log("warn",0,e,t,{once:!0})}error(e,...t){return this._log("error",0,e,t)}log(e,t,...n){return this._log("log",e,t,n)}info(e,t,...n){return this._log("info",e,t,n)}once(e,t,...n){return this._log("once",e,t,n,{once:!0})}_log(e,t,n,i,s={}){let o=iw({logLevel:t,message:n,args:this._buildArgs(t,n,i),opts:s});return this._createLogFunction(e,o,s)}_buildArgs(e,t,n){return[e,t,...n]}_createLogFunction(e,t,n){if(!this._shouldLog(t.logLevel))return is;let i=this._getOnceTag(n.tag??t.tag??t.message);if((n.once||t.once)&&i!==void 0){if(this._onceCache.has(i))return is;this._onceCache.add(i)}return this._emit(e,t)}_shouldLog(e){return this.getLevel()>=Kp(e)}_getOnceTag(e){if(e!==void 0)try{return typeof e=="string"?e:String(e)}catch{return}}}});function SR(r){try{let e=window[r],t="__storage_test__";return e.setItem(t,t),e.removeItem(t),e}catch{return null}}var ju,aw=P(()=>{ju=class{constructor(e,t,n="sessionStorage"){this.storage=SR(n),this.id=e,this.config=t,this._loadConfiguration()}getConfiguration(){return this.config}setConfiguration(e){if(Object.assign(this.config,e),this.storage){let t=JSON.stringify(this.config);this.storage.setItem(this.id,t)}}_loadConfiguration(){let e={};if(this.storage){let t=this.storage.getItem(this.id);e=t?JSON.parse(t):{}}return Object.assign(this.config,e),this}}});function cw(r){let e;return r<10?e=`${r.toFixed(2)}ms`:r<100?e=`${r.toFixed(1)}ms`:r<1e3?e=`${r.toFixed(0)}ms`:e=`${(r/1e3).toFixed(2)}s`,e}function lw(r,e=8){let t=Math.max(e-r.length,0);return`${" ".repeat(t)}${r}`}var uw=P(()=>{});function fw(r){return typeof r!="string"?r:(r=r.toUpperCase(),Hu[r]||Hu.WHITE)}function dw(r,e,t){return!or&&typeof r=="string"&&(e&&(r=`\x1B[${fw(e)}m${r}\x1B[39m`),t&&(r=`\x1B[${fw(t)+TR}m${r}\x1B[49m`)),r}var Hu,TR,hw=P(()=>{ns();(function(r){r[r.BLACK=30]="BLACK",r[r.RED=31]="RED",r[r.GREEN=32]="GREEN",r[r.YELLOW=33]="YELLOW",r[r.BLUE=34]="BLUE",r[r.MAGENTA=35]="MAGENTA",r[r.CYAN=36]="CYAN",r[r.WHITE=37]="WHITE",r[r.BRIGHT_BLACK=90]="BRIGHT_BLACK",r[r.BRIGHT_RED=91]="BRIGHT_RED",r[r.BRIGHT_GREEN=92]="BRIGHT_GREEN",r[r.BRIGHT_YELLOW=93]="BRIGHT_YELLOW",r[r.BRIGHT_BLUE=94]="BRIGHT_BLUE",r[r.BRIGHT_MAGENTA=95]="BRIGHT_MAGENTA",r[r.BRIGHT_CYAN=96]="BRIGHT_CYAN",r[r.BRIGHT_WHITE=97]="BRIGHT_WHITE"})(Hu||(Hu={}));TR=10});function pw(r,e=["constructor"]){let t=Object.getPrototypeOf(r),n=Object.getOwnPropertyNames(t),i=r;for(let s of n){let o=i[s];typeof o=="function"&&(e.find(a=>s===a)||(i[s]=o.bind(r)))}}var mw=P(()=>{});var Yu,pn,Qp=P(()=>{ns();Yu=class{getHighResolutionTimer(){let e;if(or()&&Za.performance)e=Za?.performance?.now?.();else if("hrtime"in $u){let t=$u?.hrtime?.();e=t[0]*1e3+t[1]/1e6}else e=Date.now();return e}getMemoryUsageMB(){let t=Za?.performance?.memory?.usedJSHeapSize;return t==null?null:Math.trunc(t/1024/1024)}},pn=new Yu;globalThis.Probe=Yu;globalThis.probe=pn});function PR(r,e,t){if(typeof e=="string"){let n=t.time?lw(cw(t.total)):"";e=t.time?`${r}: ${n}  ${e}`:`${r}: ${e}`,e=dw(e,t.color,t.background)}return e}function AR(r){for(let e in r)for(let t in r[e])return t||"untitled";return"empty"}var Mo,Jp,kt,em=P(()=>{ns();ow();aw();uw();hw();mw();Zp();Qp();Mo={debug:or()&&console.debug||console.log,log:console.log,info:console.info,warn:console.warn,error:console.error},Jp={enabled:!0,level:0},kt=class extends Wu{constructor({id:e}={id:""}){super({level:0}),this.VERSION=Xp,this._startTs=pn.getHighResolutionTimer(),this._deltaTs=pn.getHighResolutionTimer(),this.userData={},this.LOG_THROTTLE_TIMEOUT=0,this.id=e,this.userData={},this._storage=new ju(`__probe-${this.id}__`,{[this.id]:Jp}),this.timeStamp(`${this.id} started`),pw(this),Object.seal(this)}isEnabled(){return this._getConfiguration().enabled}getLevel(){return this._getConfiguration().level}getTotal(){return Number((pn.getHighResolutionTimer()-this._startTs).toPrecision(10))}getDelta(){return Number((pn.getHighResolutionTimer()-this._deltaTs).toPrecision(10))}set priority(e){this.level=e}get priority(){return this.level}getPriority(){return this.level}enable(e=!0){return this._updateConfiguration({enabled:e}),this}setLevel(e){return this._updateConfiguration({level:e}),this}get(e){return this._getConfiguration()[e]}set(e,t){this._updateConfiguration({[e]:t})}settings(){console.table?console.table(this._storage.config):console.log(this._storage.config)}assert(e,t){if(!e)throw new Error(t||"Assertion failed")}warn(e,...t){return this._log("warn",0,e,t,{method:Mo.warn,once:!0})}error(e,...t){return this._log("error",0,e,t,{method:Mo.error})}deprecated(e,t){return this.warn(`\`${e}\` is deprecated and will be removed in a later version. Use \`${t}\` instead`)}removed(e,t){return this.error(`\`${e}\` has been removed. Use \`${t}\` instead`)}probe(e,t,...n){let i=pn.getMemoryUsageMB();if(i!==null){let s=`${i}MB `;typeof t=="function"?t=()=>`${s}${t()}`:typeof t=="string"&&(t=`${s}${t}`)}return this._log("log",e,t,n,{method:Mo.log,time:!0,once:!0})}log(e,t,...n){return this._log("log",e,t,n,{method:Mo.debug})}info(e,t,...n){return this._log("info",e,t,n,{method:console.info})}once(e,t,...n){return this._log("once",e,t,n,{method:Mo.debug||Mo.info,once:!0})}table(e,t,n){return t?this._log("table",e,t,n&&[n]||[],{method:console.table||is,tag:AR(t)}):is}time(e,t){return this._log("time",e,t,[],{method:console.time?console.time:console.info})}timeEnd(e,t){return this._log("time",e,t,[],{method:console.timeEnd?console.timeEnd:console.info})}timeStamp(e,t){return this._log("time",e,t,[],{method:console.timeStamp||is})}group(e,t,n={collapsed:!1}){let i=(n.collapsed?console.groupCollapsed:console.group)||console.info;return this._log("group",e,t,[],{method:i})}groupCollapsed(e,t,n={}){return this.group(e,t,Object.assign({},n,{collapsed:!0}))}groupEnd(e){return this._log("groupEnd",e,"",[],{method:console.groupEnd||is})}withGroup(e,t,n){this.group(e,t)();try{n()}finally{this.groupEnd(e)()}}trace(){console.trace&&console.trace()}_shouldLog(e){return this.isEnabled()&&super._shouldLog(e)}_emit(e,t){let n=t.method;Lo(n),t.total=this.getTotal(),t.delta=this.getDelta(),this._deltaTs=pn.getHighResolutionTimer();let i=PR(this.id,t.message,t);return n.bind(console,i,...t.args)}_getConfiguration(){return this._storage.config[this.id]||this._updateConfiguration(Jp),this._storage.config[this.id]}_updateConfiguration(e){let t=this._storage.config[this.id]||{...Jp};this._storage.setConfiguration({[this.id]:{...t,...e}})}};kt.VERSION=Xp});var gw=P(()=>{Qp();globalThis.probe||(globalThis.probe=pn)});var MW,Ka=P(()=>{em();em();gw();MW=new kt({id:"@probe.gl/log"})});function tc(){let r;if(typeof window<"u"&&window.performance)r=window.performance.now();else if(typeof process<"u"&&process.hrtime){let e=process.hrtime();r=e[0]*1e3+e[1]/1e6}else r=Date.now();return r}var bm=P(()=>{});var os,ym=P(()=>{bm();os=class{constructor(e,t){this.sampleSize=1,this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this.name=e,this.type=t,this.reset()}reset(){return this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this}setSampleSize(e){return this.sampleSize=e,this}incrementCount(){return this.addCount(1),this}decrementCount(){return this.subtractCount(1),this}addCount(e){return this._count+=e,this._samples++,this._checkSampling(),this}subtractCount(e){return this._count-=e,this._samples++,this._checkSampling(),this}addTime(e){return this._time+=e,this.lastTiming=e,this._samples++,this._checkSampling(),this}timeStart(){return this._startTime=tc(),this._timerPending=!0,this}timeEnd(){return this._timerPending?(this.addTime(tc()-this._startTime),this._timerPending=!1,this._checkSampling(),this):this}getSampleAverageCount(){return this.sampleSize>0?this.lastSampleCount/this.sampleSize:0}getSampleAverageTime(){return this.sampleSize>0?this.lastSampleTime/this.sampleSize:0}getSampleHz(){return this.lastSampleTime>0?this.sampleSize/(this.lastSampleTime/1e3):0}getAverageCount(){return this.samples>0?this.count/this.samples:0}getAverageTime(){return this.samples>0?this.time/this.samples:0}getHz(){return this.time>0?this.samples/(this.time/1e3):0}_checkSampling(){this._samples===this.sampleSize&&(this.lastSampleTime=this._time,this.lastSampleCount=this._count,this.count+=this._count,this.time+=this._time,this.samples+=this._samples,this._time=0,this._count=0,this._samples=0)}}});var Pr,Mw=P(()=>{ym();Pr=class{constructor(e){this.stats={},this.id=e.id,this.stats={},this._initializeStats(e.stats),Object.seal(this)}get(e,t="count"){return this._getOrCreate({name:e,type:t})}get size(){return Object.keys(this.stats).length}reset(){for(let e of Object.values(this.stats))e.reset();return this}forEach(e){for(let t of Object.values(this.stats))e(t)}getTable(){let e={};return this.forEach(t=>{e[t.name]={time:t.time||0,count:t.count||0,average:t.getAverageTime()||0,hz:t.getHz()||0}}),e}_initializeStats(e=[]){e.forEach(t=>this._getOrCreate(t))}_getOrCreate(e){let{name:t,type:n}=e,i=this.stats[t];return i||(e instanceof os?i=e:i=new os(t,n),this.stats[t]=i),i}}});var rc=P(()=>{Mw();ym();bm()});function sv(r){return ArrayBuffer.isView(r)&&!(r instanceof DataView)}function ov(r){return Array.isArray(r)?r.length===0||typeof r[0]=="number":!1}function lc(r){return sv(r)||ov(r)}var av=P(()=>{});var Im=P(()=>{av()});function Do(r){let e=r.split(""),t=0,n=0,i=!1,s=!1,o=!1;for(;t<r.length;){let a=r[t],c=r[t+1];if(s){o?o=!1:a==="\\"?o=!0:a==='"'&&(s=!1),t++;continue}if(i){a===`
`||a==="\r"?i=!1:e[t]=" ",t++;continue}if(n>0){if(a==="/"&&c==="*"){e[t]=" ",e[t+1]=" ",n++,t+=2;continue}if(a==="*"&&c==="/"){e[t]=" ",e[t+1]=" ",n--,t+=2;continue}a!==`
`&&a!=="\r"&&(e[t]=" "),t++;continue}if(a==='"'){s=!0,t++;continue}if(a==="/"&&c==="/"){e[t]=" ",e[t+1]=" ",i=!0,t+=2;continue}if(a==="/"&&c==="*"){e[t]=" ",e[t+1]=" ",n=1,t+=2;continue}t++}return e.join("")}function cs(r,e){let t=Do(r),n=[];for(let i of e){i.lastIndex=0;let s;for(s=i.exec(t);s;){let o=i===e[0],a=s.index,c=s[0].length;n.push({match:r.slice(a,a+c),index:a,length:c,bindingToken:s[o?1:2],groupToken:s[o?2:1],accessDeclaration:s[3]?.trim(),name:s[4]}),s=i.exec(t)}}return n.sort((i,s)=>i.index-s.index)}function Um(r,e,t){let n=cs(r,e);if(!n.length)return r;let i="",s=0;for(let o of n)i+=r.slice(s,o.index),i+=t(o),s=o.index+o.length;return i+=r.slice(s),i}function zm(r){return/@binding\(\s*auto\s*\)/.test(Do(r))}function vv(r,e){return cs(r,e===Oo||e===cf?WI:e).find(n=>n.bindingToken==="auto")}var lr,Oo,cf,wv,WI,lf=P(()=>{lr="(?:var<\\s*(uniform|storage(?:\\s*,\\s*[A-Za-z_][A-Za-z0-9_]*)?)\\s*>|var)\\s+([A-Za-z_][A-Za-z0-9_]*)",Oo=[new RegExp(`@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${lr}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*${lr}`,"g")],cf=[new RegExp(`@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${lr}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto|\\d+)\\s*\\)\\s*${lr}`,"g")],wv=[new RegExp(`@binding\\(\\s*(\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${lr}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(\\d+)\\s*\\)\\s*${lr}`,"g")],WI=[new RegExp(`@binding\\(\\s*(auto)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${lr}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto)\\s*\\)\\s*${lr}`,"g"),new RegExp(`@binding\\(\\s*(auto)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)(?:[\\s\\n\\r]*@[A-Za-z_][^\\n\\r]*)*[\\s\\n\\r]*${lr}`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(auto)\\s*\\)(?:[\\s\\n\\r]*@[A-Za-z_][^\\n\\r]*)*[\\s\\n\\r]*${lr}`,"g")]});function ff(r,e={}){let t=Ev(r),n=jI(t);if(!n)return null;let i=HI(t,n);if(!i)return null;let s=qI(t,n,i);if(!s)return null;if(e.scanVertexAttributes===!1)return{attributes:[],bindings:s};let o=YI(t,n);if(!o)return null;let a=JI(t,n,i,o,e.vertexEntryPoint);return a?{attributes:a,bindings:s}:null}function Ev(r){let e=Do(r),t=/[A-Za-z_][A-Za-z0-9_]*|(?:0[xX][0-9A-Fa-f]+|\d+)|[@(){}<>\[\]:,;=]/g,n=[],i=t.exec(e);for(;i;)n.push({value:i[0],index:i.index}),i=t.exec(e);return n}function jI(r){let e=[],t=0;for(let n of r){if(n.value==="}"&&t===0)return null;e.push(t),n.value==="{"?t++:n.value==="}"&&t--}return t===0?e:null}function HI(r,e){let t=new Map;for(let n=0;n<r.length;n++){if(e[n]!==0||r[n].value!=="alias")continue;let i=r[n+1]?.value;if(!dc(i)||r[n+2]?.value!=="="||t.has(i))return null;let s=Pv(r,e,n+3,";");if(s<0||s===n+3)return null;t.set(i,uf(r.slice(n+3,s))),n=s}return t}function YI(r,e){let t=new Map;for(let n=0;n<r.length;n++){if(e[n]!==0||r[n].value!=="struct")continue;let i=r[n+1]?.value,s=n+2;if(!dc(i)||t.has(i)||r[s]?.value!=="{")return null;let o=Wm(r,s,"{","}");if(o<0)return null;t.set(i,r.slice(s+1,o)),n=o}return t}function qI(r,e,t){let n=[],i=new Set,s=new Set;for(let o=0;o<r.length;o++){if(e[o]!==0||r[o].value!=="var")continue;let a=Av(r,e,o),c=r.slice(a,o),l=Gm(c,"group"),u=Gm(c,"binding");if(l===null||u===null||l===void 0!=(u===void 0))return null;if(l===void 0||u===void 0)continue;let f=o+1,d=[];if(r[f]?.value==="<"){let _=Wm(r,f,"<",">");if(_<0)return null;let x=df(r.slice(f+1,_),",");if(!x)return null;d=x.map(uf),f=_+1}let h=r[f]?.value;if(!dc(h)||r[f+1]?.value!==":")return null;let p=Pv(r,e,f+2,";");if(p<0||p===f+2)return null;let m=Vm(uf(r.slice(f+2,p)),t);if(!m)return null;let b=XI({name:h,group:l,location:u,addressSpace:d,resourceType:m}),w=`${l}:${u}`;if(!b||i.has(w)||s.has(h))return null;n.push(b),i.add(w),s.add(h),o=p}return QI(n),n.sort((o,a)=>o.group-a.group||o.location-a.location||o.name.localeCompare(a.name))}function XI(r){let{name:e,group:t,location:n,addressSpace:i,resourceType:s}=r,o={name:e,group:t,location:n};if(i[0]==="uniform"&&i.length===1)return{...o,type:"uniform"};if(i[0]==="storage"&&i.length<=2){let a=i[1]||"read";return a==="read"?{...o,type:"read-only-storage"}:a==="read_write"?{...o,type:"storage"}:null}return i.length>0?null:s==="sampler"||s==="sampler_comparison"?{...o,type:"sampler",...s==="sampler_comparison"?{samplerType:"comparison"}:{}}:s==="texture_external"?{...o,type:"external-texture"}:ZI(o,s)||KI(o,s)}function ZI(r,e){let t=/^texture_storage_(1d|2d|2d_array|3d)<([A-Za-z0-9_]+),(read|write|read_write)>$/.exec(e);if(!t)return null;let n={read:"read-only",write:"write-only",read_write:"read-write"}[t[3]];return{...r,type:"storage",format:t[2],access:n,viewDimension:$m(t[1])}}function KI(r,e){let t=/^texture_(multisampled_)?(1d|2d|2d_array|cube|cube_array|3d)<(f32|i32|u32)>$/.exec(e);if(t){if(t[1]&&t[2]!=="2d")return null;let i={f32:"float",i32:"sint",u32:"uint"}[t[3]];return{...r,type:"texture",viewDimension:$m(t[2]),sampleType:i,multisampled:!!t[1]}}let n=/^texture_depth_(multisampled_)?(2d|2d_array|cube|cube_array)$/.exec(e);return!n||n[1]&&n[2]!=="2d"?null:{...r,type:"texture",viewDimension:$m(n[2]),sampleType:"depth",multisampled:!!n[1]}}function QI(r){for(let e of r){if(e.type!=="sampler"||e.samplerType||!e.name.endsWith("Sampler"))continue;let t=e.name.slice(0,-7);r.find(i=>i.type==="texture"&&i.name===t&&i.group===e.group)?.sampleType==="depth"&&(e.samplerType="non-filtering")}}function JI(r,e,t,n,i){let s=eB(r,e);if(!s)return null;let o=s.filter(h=>h.vertex),a=i?o.find(h=>h.name===i):o.length===1?o[0]:void 0;if(!a)return o.length===0&&!i?[]:null;let c=df(a.parameters,",");if(!c)return null;let l=[],u=new Set,f=new Set,d=new Set;for(let h of c)if(h.length>0&&!Sv({declaration:h,aliases:t,structures:n,attributes:l,attributeLocations:u,attributeNames:f,visitedStructures:d}))return null;return l.sort((h,p)=>h.location-p.location||h.name.localeCompare(p.name))}function eB(r,e){let t=[],n=new Set;for(let i=0;i<r.length;i++){if(e[i]!==0||r[i].value!=="fn")continue;let s=r[i+1]?.value,o=i+2;if(!dc(s)||n.has(s)||r[o]?.value!=="(")return null;let a=Wm(r,o,"(",")");if(a<0)return null;let c=Av(r,e,i);t.push({name:s,vertex:Tv(r.slice(c,i),"vertex"),parameters:r.slice(o+1,a)}),n.add(s),i=a}return t}function Sv(r){let{declaration:e,aliases:t,structures:n,attributes:i,attributeLocations:s,attributeNames:o,visitedStructures:a}=r,c=nB(e,":");if(c<1||c===e.length-1)return!1;let l=iB(e.slice(0,c)),u=Gm(e.slice(0,c),"location"),f=Tv(e.slice(0,c),"builtin"),d=Vm(uf(e.slice(c+1)),t);if(!l||u===null||!d||u!==void 0&&f)return!1;if(u!==void 0){let m=rB(d);return!m||s.has(u)||o.has(l)?!1:(i.push({name:l,location:u,type:m}),s.add(u),o.add(l),!0)}if(f)return!0;let h=n.get(d);if(!h||a.has(d))return!1;let p=df(h,",");if(!p)return!1;a.add(d);for(let m of p)if(m.length>0&&!Sv({...r,declaration:m}))return!1;return a.delete(d),!0}function Vm(r,e,t=new Set){let n=Ev(r),i="";for(let s of n){let o=e.get(s.value);if(!o){i+=tB(s.value);continue}if(t.has(s.value))return null;let a=new Set(t);a.add(s.value);let c=Vm(o,e,a);if(!c)return null;i+=c}return i}function tB(r){let e=/^(vec[234]|mat[234]x[234])([fiuh])$/.exec(r);if(!e)return r;let t={f:"f32",i:"i32",u:"u32",h:"f16"}[e[2]];return`${e[1]}<${t}>`}function rB(r){return/^(?:i32|u32|f32|f16|vec[234]<(?:i32|u32|f32|f16)>)$/.test(r)?r:null}function Gm(r,e){let t;for(let n=0;n<r.length;n++)if(!(r[n].value!=="@"||r[n+1]?.value!==e)){if(t!==void 0||r[n+2]?.value!=="("||!/^\d+$/.test(r[n+3]?.value||"")||r[n+4]?.value!==")")return null;t=Number(r[n+3].value)}return t}function Tv(r,e){return r.some((t,n)=>t.value==="@"&&r[n+1]?.value===e)}function $m(r){return r.replace("_","-")}function Wm(r,e,t,n){let i=0;for(let s=e;s<r.length;s++)if(r[s].value===t)i++;else if(r[s].value===n&&--i===0)return s;return-1}function df(r,e){let t=[],n=0,i={"(":0,"<":0,"[":0,"{":0},s=Object.keys(i),o={")":"(",">":"<","]":"[","}":"{"};for(let a=0;a<r.length;a++){let c=r[a].value;if(c===e&&s.every(l=>i[l]===0)){t.push(r.slice(n,a)),n=a+1;continue}if(c in i)i[c]++;else if(c in o){let l=o[c];if(i[l]--,i[l]<0)return null}}return s.every(a=>i[a]===0)?(t.push(r.slice(n)),t):null}function nB(r,e){let t=df(r,e);return t&&t.length===2?t[0].length:-1}function Pv(r,e,t,n){for(let i=t;i<r.length;i++)if(e[i]===0&&r[i].value===n)return i;return-1}function Av(r,e,t){for(let n=t-1;n>=0;n--)if(r[n].value===";"&&e[n]===0||r[n].value==="}"&&e[n]===1)return n+1;return 0}function iB(r){for(let e=r.length-1;e>=0;e--)if(dc(r[e].value))return r[e].value;return null}function uf(r){return r.map(e=>e.value).join("")}function dc(r){return!!(r&&/^[A-Za-z_][A-Za-z0-9_]*$/.test(r))}var jm=P(()=>{lf()});function Hn(r,e){if(!r){let t=new Error(e||"shadertools: assertion failed.");throw Error.captureStackTrace?.(t,Hn),t}}var hf=P(()=>{});function Mv(r){let e={};for(let[t,n]of Object.entries(r))e[t]=sB(n);return e}function sB(r){let e=Lv(r);if(e!=="object")return{value:r,...Hm[e],type:e};if(typeof r=="object")return r?r.type!==void 0?{...r,...Hm[r.type],type:r.type}:r.value===void 0?{type:"object",value:r}:(e=Lv(r.value),{...r,...Hm[e],type:e}):{type:"object",value:null};throw new Error("props")}function Lv(r){return Array.isArray(r)||ArrayBuffer.isView(r)?"array":typeof r}var Hm,Cv=P(()=>{Hm={number:{type:"number",validate(r,e){return Number.isFinite(r)&&typeof e=="object"&&(e.max===void 0||r<=e.max)&&(e.min===void 0||r>=e.min)}},array:{type:"array",validate(r,e){return Array.isArray(r)||ArrayBuffer.isView(r)}}}});var Rv,Iv,Bv=P(()=>{Rv=`#ifdef MODULE_LOGDEPTH
  logdepth_adjustPosition(gl_Position);
#endif
`,Iv=`#ifdef MODULE_MATERIAL
  fragColor = material_filterColor(fragColor);
#endif

#ifdef MODULE_LIGHTING
  fragColor = lighting_filterColor(fragColor);
#endif

#ifdef MODULE_FOG
  fragColor = fog_filterColor(fragColor);
#endif

#ifdef MODULE_PICKING
  fragColor = picking_filterHighlightColor(fragColor);
  fragColor = picking_filterPickingColor(fragColor);
#endif

#ifdef MODULE_LOGDEPTH
  logdepth_setFragDepth();
#endif
`});function Dv(r){let e={vertex:{},fragment:{}};for(let t in r){let n=r[t],i=aB(t);typeof n=="string"&&(n={order:0,injection:n}),e[i][t]=n}return e}function aB(r){let e=r.slice(0,2);switch(e){case"vs":return"vertex";case"fs":return"fragment";default:throw new Error(e)}}function pc(r,e,t,n=!1,i="glsl",s={}){let o=e==="vertex";for(let a in t){let c=t[a];c.sort((u,f)=>u.order-f.order),Ym.length=c.length;for(let u=0,f=c.length;u<f;++u)Ym[u]=c[u].injection;let l=`${Ym.join(`
`)}
`;switch(a){case"vs:#decl":(i==="wgsl"||o)&&(r=r.replace(hc,l));break;case"vs:#main-start":(i==="wgsl"||o)&&(r=i==="wgsl"?pf(r,"vertex",l,"start",s.vertex):r.replace(kv,u=>u+l));break;case"vs:#main-end":(i==="wgsl"||o)&&(r=i==="wgsl"?pf(r,"vertex",l,"end",s.vertex):r.replace(Ov,u=>l+u));break;case"fs:#decl":(i==="wgsl"||!o)&&(r=r.replace(hc,l));break;case"fs:#main-start":(i==="wgsl"||!o)&&(r=i==="wgsl"?pf(r,"fragment",l,"start",s.fragment):r.replace(kv,u=>u+l));break;case"fs:#main-end":(i==="wgsl"||!o)&&(r=i==="wgsl"?pf(r,"fragment",l,"end",s.fragment):r.replace(Ov,u=>l+u));break;default:r=r.replace(a,u=>u+l)}}return r=r.replace(hc,""),n&&(r=r.replace(/\}\s*$/,a=>a+oB[e])),r}function pf(r,e,t,n,i){let s=cB(r,e,i);if(!s)return r;if(n==="start"){let o=s.openBraceIndex+1;return`${r.slice(0,o)}
${t}${r.slice(o)}`}return`${r.slice(0,s.closeBraceIndex)}${t}${r.slice(s.closeBraceIndex)}`}function cB(r,e,t){let n=e==="vertex"?"@vertex":"@fragment",i=r.indexOf(n);if(i<0)return null;let s=t?r.search(new RegExp(`\\bfn\\s+${lB(t)}\\s*\\(`)):r.indexOf("fn",i);if(s<0)return null;let o=r.indexOf("{",s);if(o<0)return null;let a=0;for(let c=o;c<r.length;c++){let l=r[c];if(l==="{")a++;else if(l==="}"&&(a--,a===0))return{openBraceIndex:o,closeBraceIndex:c}}return null}function lB(r){return r.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}var oB,kv,Ov,Ym,hc,qm=P(()=>{Bv();oB={vertex:Rv,fragment:Iv},kv=/void\s+main\s*\([^)]*\)\s*\{\n?/,Ov=/}\n?[^{}]*$/,Ym=[],hc="__LUMA_INJECT_DECLARATIONS__"});function No(r){r.map(e=>uB(e))}function uB(r){if(r.instance)return;No(r.dependencies||[]);let{propTypes:e={},deprecations:t=[],inject:n={}}=r,i={normalizedInjections:Dv(n),parsedDeprecations:fB(t)};e&&(i.propValidators=Mv(e)),r.instance=i;let s={};e&&(s=Object.entries(e).reduce((o,[a,c])=>{let l=c?.value;return l&&(o[a]=l),o},{})),r.defaultUniforms={...r.defaultUniforms,...s}}function Xm(r,e,t){r.deprecations?.forEach(n=>{n.regex?.test(e)&&(n.deprecated?t.deprecated(n.old,n.new)():t.removed(n.old,n.new)())})}function fB(r){return r.forEach(e=>{e.type==="function"?e.regex=new RegExp(`\\b${e.old}\\(`):e.regex=new RegExp(`${e.type} ${e.old};`)}),r}var mf=P(()=>{Cv();qm()});function ls(r){No(r);let e={},t={};Nv({modules:r,level:0,moduleMap:e,moduleDepth:t});let n=Object.keys(t).sort((i,s)=>t[s]-t[i]).map(i=>e[i]);return No(n),n}function Nv(r){let{modules:e,level:t,moduleMap:n,moduleDepth:i}=r;if(t>=5)throw new Error("Possible loop in shader dependency graph");for(let s of e)n[s.name]=s,(i[s.name]===void 0||i[s.name]<t)&&(i[s.name]=t);for(let s of e)s.dependencies&&Nv({modules:s.dependencies,level:t+1,moduleMap:n,moduleDepth:i})}var Zm=P(()=>{mf()});var k,Dt=P(()=>{Ka();k=new kt({id:"luma.gl"})});function dB(r,e){return r!=null?!!r:e!==void 0?e!=="production":!1}function hB(){return dB(k.get("debug"),pB())}function pB(){let r=globalThis.process;if(r?.env)return r.env.NODE_ENV}var gf,Km=P(()=>{Dt();gf={id:null,powerPreference:"high-performance",failIfMajorPerformanceCaveat:!1,featureLevel:void 0,optionalFeatures:[],xrCompatible:!1,createCanvasContext:void 0,webgl:{},onError:(r,e)=>{},onResize:(r,e)=>{let[t,n]=r.getDevicePixelSize();k.log(1,`${r} resized => ${t}x${n}px`)()},onPositionChange:(r,e)=>{let[t,n]=r.getPosition();k.log(1,`${r} repositioned => ${t},${n}`)()},onVisibilityChange:r=>k.log(1,`${r} Visibility changed ${r.isVisible}`)(),onDevicePixelRatioChange:(r,e)=>k.log(1,`${r} DPR changed ${e.oldRatio} => ${r.devicePixelRatio}`)(),debug:hB(),debugGPUTime:!1,debugShaders:k.get("debug-shaders")||void 0,debugFramebuffers:!!k.get("debug-framebuffers"),debugFactories:!!k.get("debug-factories"),debugWebGL:!!k.get("debug-webgl"),debugSpectorJS:void 0,debugSpectorJSUrl:void 0,_reuseDevices:!1,_cacheShaders:!0,_destroyShaders:!1,_cachePipelines:!0,_sharePipelines:!0,_destroyPipelines:!1,_initializeFeatures:!0,_disabledFeatures:{"compilation-status-async-webgl":!0},_handle:void 0}});function bB(r,e){let t=r.stats,n=!1;for(let c of e)t[c]||(r.get(c),n=!0);let i=Object.keys(t).length,s=Fv.get(r);if(!n&&s?.orderedStatNames===e&&s.statCount===i)return;let o={},a=Uv.get(e);a||(a=new Set(e),Uv.set(e,a));for(let c of e)t[c]&&(o[c]=t[c]);for(let[c,l]of Object.entries(t))a.has(c)||(o[c]=l);for(let c of Object.keys(t))delete t[c];Object.assign(t,o),Fv.set(r,{orderedStatNames:e,statCount:i})}var mB,gB,Fv,Uv,Qm,bf,Jm=P(()=>{rc();mB="GPU Time and Memory",gB=["Adapter","GPU","GPU Type","GPU Backend","Frame Rate","CPU Time","GPU Time","GPU Memory","Buffer Memory","Texture Memory","External Buffer Memory","External Texture Memory","Swap Chain Texture"],Fv=new WeakMap,Uv=new WeakMap,Qm=class{stats=new Map;getStats(e){return this.get(e)}get(e){this.stats.has(e)||this.stats.set(e,new Pr({id:e}));let t=this.stats.get(e);return e===mB&&bB(t,gB),t}},bf=new Qm});var yB,zv,eg,Fo,Gv=P(()=>{Km();Jm();Dt();yB="set luma.log.level=1 (or higher) to trace rendering",zv="No matching device found. Ensure `@luma.gl/webgl` and/or `@luma.gl/webgpu` modules are imported.",eg=class r{static defaultProps={...gf,type:"best-available",adapters:void 0,waitForPageLoad:!0};stats=bf;log=k;VERSION="9.4.2";spector;preregisteredAdapters=new Map;constructor(){if(globalThis.luma){if(globalThis.luma.VERSION!==this.VERSION)throw k.error(`Found luma.gl ${globalThis.luma.VERSION} while initialzing ${this.VERSION}`)(),k.error("'yarn why @luma.gl/core' can help identify the source of the conflict")(),new Error("luma.gl - multiple versions detected: see console log");k.error("This version of luma.gl has already been initialized")()}k.log(1,`${this.VERSION} - ${yB}`)(),globalThis.luma=this}async createDevice(e={}){let t={...r.defaultProps,...e},n=this.selectAdapter(t.type,t.adapters);if(!n)throw new Error(zv);return t.waitForPageLoad&&await n.pageLoaded,await n.create(t)}async attachDevice(e,t){let n=this._getTypeFromHandle(e,t.adapters),i=n&&this.selectAdapter(n,t.adapters);if(!i)throw new Error(zv);return await i?.attach?.(e,t)}registerAdapters(e){for(let t of e)this.preregisteredAdapters.set(t.type,t)}getSupportedAdapters(e=[]){let t=this._getAdapterMap(e);return Array.from(t).map(([,n])=>n).filter(n=>n.isSupported?.()).map(n=>n.type)}getBestAvailableAdapterType(e=[]){let t=["webgpu","webgl","null"],n=this._getAdapterMap(e);for(let i of t)if(n.get(i)?.isSupported?.())return i;return null}selectAdapter(e,t=[]){let n=e;e==="best-available"&&(n=this.getBestAvailableAdapterType(t));let i=this._getAdapterMap(t);return n&&i.get(n)||null}enforceWebGL2(e=!0,t=[]){let i=this._getAdapterMap(t).get("webgl");i||k.warn("enforceWebGL2: webgl adapter not found")(),i?.enforceWebGL2?.(e)}setDefaultDeviceProps(e){Object.assign(r.defaultProps,e)}_getAdapterMap(e=[]){let t=new Map(this.preregisteredAdapters);for(let n of e)t.set(n.type,n);return t}_getTypeFromHandle(e,t=[]){return e instanceof WebGL2RenderingContext?"webgl":typeof GPUDevice<"u"&&e instanceof GPUDevice||e?.queue?"webgpu":e===null?"null":(e instanceof WebGLRenderingContext?k.warn("WebGL1 is not supported",e)():k.warn("Unknown handle type",e)(),null)}},Fo=new eg});function wB(){return yf||(xB()||typeof window>"u"?yf=Promise.resolve():yf=new Promise(r=>window.addEventListener("load",()=>r()))),yf}var mc,_B,xB,yf,$v=P(()=>{ns();mc=class{get pageLoaded(){return wB()}},_B=or()&&typeof document<"u",xB=()=>_B&&document.readyState==="complete",yf=null});function _n(r="id"){tg[r]=tg[r]||1;let e=tg[r]++;return`${r}-${e}`}var tg,Uo=P(()=>{tg={}});function AB(r,e){let t={...e};for(let n in r)r[n]!==void 0&&(t[n]=r[n]);return t}function qv(r,e){let t=r.stats,n=!1;for(let c of e)t[c]||(r.get(c),n=!0);let i=Object.keys(t).length,s=Hv.get(r);if(!n&&s?.orderedStatNames===e&&s.statCount===i)return;let o={},a=Yv.get(e);a||(a=new Set(e),Yv.set(e,a));for(let c of e)t[c]&&(o[c]=t[c]);for(let[c,l]of Object.entries(t))a.has(c)||(o[c]=l);for(let c of Object.keys(t))delete t[c];Object.assign(t,o),Hv.set(r,{orderedStatNames:e,statCount:i})}function Xv(r){return r.type==="webgl"?PB:TB}function gc(r){let e=r.userData[vB];return e?.enabled?e:null}function bi(){return globalThis.performance?.now?.()??Date.now()}function LB(r,e){let t=gc(r);if(!(!t||!t.activeDefaultFramebufferAcquireDepth))switch(t.transientCanvasResourceCreates=(t.transientCanvasResourceCreates||0)+1,e){case"Texture":t.transientCanvasTextureCreates=(t.transientCanvasTextureCreates||0)+1;break;case"TextureView":t.transientCanvasTextureViewCreates=(t.transientCanvasTextureViewCreates||0)+1;break;case"Sampler":t.transientCanvasSamplerCreates=(t.transientCanvasSamplerCreates||0)+1;break;case"Framebuffer":t.transientCanvasFramebufferCreates=(t.transientCanvasFramebufferCreates||0)+1;break;default:break}}function MB(r){let e=Object.getPrototypeOf(r);for(;e;){let t=Object.getPrototypeOf(e);if(!t||t===ee.prototype)return CB(e)||r[Symbol.toStringTag]||r.constructor.name;e=t}return r[Symbol.toStringTag]||r.constructor.name}function CB(r){let e=Object.getOwnPropertyDescriptor(r,Symbol.toStringTag);return typeof e?.get=="function"?e.get.call(r):typeof e?.value=="string"?e.value:null}var vB,Vv,Wv,jv,EB,SB,TB,PB,Hv,Yv,ee,ht=P(()=>{Uo();vB="cpu-hotspot-profiler",Vv="GPU Resource Counts",Wv="Resource Counts",jv="GPU Time and Memory",EB=["Resources","Buffers","Textures","Samplers","TextureViews","Framebuffers","QuerySets","Shaders","RenderPipelines","ComputePipelines","PipelineLayouts","VertexArrays","RenderPasss","RenderBundleEncoders","RenderBundles","ComputePasss","CommandEncoders","CommandBuffers"],SB=["Resources","Buffers","Textures","Samplers","TextureViews","Framebuffers","QuerySets","Shaders","RenderPipelines","SharedRenderPipelines","ComputePipelines","PipelineLayouts","VertexArrays","RenderPasss","RenderBundleEncoders","RenderBundles","ComputePasss","CommandEncoders","CommandBuffers"],TB=EB.flatMap(r=>[`${r} Created`,`${r} Active`]),PB=SB.flatMap(r=>[`${r} Created`,`${r} Active`]),Hv=new WeakMap,Yv=new WeakMap,ee=class{static defaultProps={id:"undefined",handle:void 0,_isHandleBorrowed:!1,userData:void 0};toString(){return`${this[Symbol.toStringTag]||this.constructor.name}:"${this.id}"`}toJSON(){return this.toString()}id;props;userData={};_device;destroyed=!1;allocatedBytes=0;allocatedBytesName=null;_attachedResources=new Set;get ownsHandle(){return(this.props.handle===void 0||this.props.handle===null)&&!this.isHandleBorrowed}get isHandleBorrowed(){return!!this.props._isHandleBorrowed}constructor(e,t,n){if(!e)throw new Error("no device");this._device=e,this.props=AB(t,n);let i=this.props.id!=="undefined"?this.props.id:_n(this[Symbol.toStringTag]);this.props.id=i,this.id=i,this.userData=this.props.userData||{},this.addStats()}destroy(){this.destroyed||this.destroyResource()}delete(){return this.destroy(),this}getProps(){return this.props}attachResource(e){this._attachedResources.add(e)}detachResource(e){this._attachedResources.delete(e)}destroyAttachedResource(e){this._attachedResources.delete(e)&&e.destroy()}destroyAttachedResources(){for(let e of this._attachedResources)e.destroy();this._attachedResources=new Set}destroyResource(){this.destroyed||(this.destroyAttachedResources(),this.removeStats(),this.destroyed=!0)}removeStats(){let e=gc(this._device),t=e?bi():0,n=[this._device.statsManager.getStats(Vv),this._device.statsManager.getStats(Wv)],i=Xv(this._device);for(let o of n)qv(o,i);let s=this.getStatsName();for(let o of n)o.get("Resources Active").decrementCount(),o.get(`${s}s Active`).decrementCount();e&&(e.statsBookkeepingCalls=(e.statsBookkeepingCalls||0)+1,e.statsBookkeepingTimeMs=(e.statsBookkeepingTimeMs||0)+(bi()-t))}trackAllocatedMemory(e,t=this.getStatsName()){let n=gc(this._device),i=n?bi():0,s=this._device.statsManager.getStats(jv);this.allocatedBytes>0&&this.allocatedBytesName&&(s.get("GPU Memory").subtractCount(this.allocatedBytes),s.get(`${this.allocatedBytesName} Memory`).subtractCount(this.allocatedBytes)),s.get("GPU Memory").addCount(e),s.get(`${t} Memory`).addCount(e),n&&(n.statsBookkeepingCalls=(n.statsBookkeepingCalls||0)+1,n.statsBookkeepingTimeMs=(n.statsBookkeepingTimeMs||0)+(bi()-i)),this.allocatedBytes=e,this.allocatedBytesName=t}trackReferencedMemory(e,t=this.getStatsName()){this.trackAllocatedMemory(e,`External ${t}`)}trackDeallocatedMemory(e=this.getStatsName()){if(this.allocatedBytes===0){this.allocatedBytesName=null;return}let t=gc(this._device),n=t?bi():0,i=this._device.statsManager.getStats(jv);i.get("GPU Memory").subtractCount(this.allocatedBytes),i.get(`${this.allocatedBytesName||e} Memory`).subtractCount(this.allocatedBytes),t&&(t.statsBookkeepingCalls=(t.statsBookkeepingCalls||0)+1,t.statsBookkeepingTimeMs=(t.statsBookkeepingTimeMs||0)+(bi()-n)),this.allocatedBytes=0,this.allocatedBytesName=null}trackDeallocatedReferencedMemory(e=this.getStatsName()){this.trackDeallocatedMemory(`Referenced ${e}`)}addStats(){let e=this.getStatsName(),t=gc(this._device),n=t?bi():0,i=[this._device.statsManager.getStats(Vv),this._device.statsManager.getStats(Wv)],s=Xv(this._device);for(let o of i)qv(o,s);for(let o of i)o.get("Resources Created").incrementCount(),o.get("Resources Active").incrementCount(),o.get(`${e}s Created`).incrementCount(),o.get(`${e}s Active`).incrementCount();t&&(t.statsBookkeepingCalls=(t.statsBookkeepingCalls||0)+1,t.statsBookkeepingTimeMs=(t.statsBookkeepingTimeMs||0)+(bi()-n)),LB(this._device,e)}getStatsName(){return MB(this)}}});var re,_f=P(()=>{ht();re=class r extends ee{static INDEX=16;static VERTEX=32;static UNIFORM=64;static STORAGE=128;static INDIRECT=256;static QUERY_RESOLVE=512;static MAP_READ=1;static MAP_WRITE=2;static COPY_SRC=4;static COPY_DST=8;get[Symbol.toStringTag](){return"Buffer"}usage;indexType;updateTimestamp;constructor(e,t){let n={...t};(t.usage||0)&r.INDEX&&!t.indexType&&(t.data instanceof Uint32Array?n.indexType="uint32":t.data instanceof Uint16Array?n.indexType="uint16":t.data instanceof Uint8Array&&(n.indexType="uint8")),delete n.data,super(e,n,r.defaultProps),this.usage=n.usage||0,this.indexType=n.indexType,this.updateTimestamp=e.incrementTimestamp()}clone(e){return this.device.createBuffer({...this.props,...e})}static DEBUG_DATA_MAX_LENGTH=32;debugData=new ArrayBuffer(0);_setDebugData(e,t,n){if(!this.device.props.debug)return;let i=null,s;ArrayBuffer.isView(e)?(i=e,s=e.buffer):s=e;let o=Math.min(e?e.byteLength:n,r.DEBUG_DATA_MAX_LENGTH);if(s===null)this.debugData=new ArrayBuffer(o);else{let a=Math.min(i?.byteOffset||0,s.byteLength),c=Math.max(0,s.byteLength-a),l=Math.min(o,c);this.debugData=new Uint8Array(s,a,l).slice().buffer}}static defaultProps={...ee.defaultProps,handle:void 0,usage:0,byteLength:0,byteOffset:0,data:null,indexType:"uint16",onMapped:void 0}}});function Zv(){return rg??Uint16Array}function Kv(r){return!!(rg&&r===rg)}var rg,Qv=P(()=>{rg=globalThis.Float16Array});function Jv(r){let e=r.includes("norm"),t=!e&&!r.startsWith("float"),n=r.startsWith("s"),i=ng[r],[s,o,a]=i||["uint8 ","i32",1];return{signedType:s,primitiveType:o,byteLength:a,normalized:e,integer:t,signed:n}}function e1(r){let e=r;switch(e){case"uint8":return"unorm8";case"sint8":return"snorm8";case"uint16":return"unorm16";case"sint16":return"snorm16";default:return e}}function Ar(r,e){switch(e){case 1:return r;case 2:return r+r%2;default:return r+(4-r%4)%4}}function xf(r){let e=ArrayBuffer.isView(r)?r.constructor:r;if(Kv(e))return"float16";if(e===Uint8ClampedArray)return"uint8";let t=Object.values(ng).find(n=>e===n[4]);if(!t)throw new Error(e.name);return t[0]}function t1(r){return xf(r)}function us(r){if(r==="float16")return Zv();let e=ng[r];if(!e)throw new Error(r);let[,,,,t]=e;return t}function fs(r){return us(r)}var ng,wf=P(()=>{Qv();ng={uint8:["uint8","u32",1,!1,Uint8Array],sint8:["sint8","i32",1,!1,Int8Array],unorm8:["uint8","f32",1,!0,Uint8Array],snorm8:["sint8","f32",1,!0,Int8Array],uint16:["uint16","u32",2,!1,Uint16Array],sint16:["sint16","i32",2,!1,Int16Array],unorm16:["uint16","u32",2,!0,Uint16Array],snorm16:["sint16","i32",2,!0,Int16Array],float16:["float16","f16",2,!1,Uint16Array],float32:["float32","f32",4,!1,Float32Array],uint32:["uint32","u32",4,!1,Uint32Array],sint32:["sint32","i32",4,!1,Int32Array]}});var ig,yt,vf=P(()=>{wf();ig=class{getDataTypeInfo(e){return Jv(e)}getNormalizedDataType(e){return e1(e)}alignTo(e,t){return Ar(e,t)}getDataType(e){return t1(e)}getTypedArrayConstructor(e){return fs(e)}},yt=new ig});function RB(r,e){try{return yt.getDataTypeInfo(e)}catch{throw new Error(`Unsupported vertex format: ${r}`)}}function IB(r,e){if(!e)return 1;let t=Number(e);if(t===2||t===3||t===4)return t;throw new Error(`Unsupported vertex format: ${r}`)}function BB(r,e,t){if(t!==3)throw new Error(`Unsupported vertex format: ${r}`);switch(e){case"uint8":case"sint8":case"unorm8":case"snorm8":case"uint16":case"sint16":case"unorm16":case"snorm16":return`${e}x3-webgl`;default:throw new Error(`Unsupported vertex format: ${r}`)}}var sg,Oe,bc=P(()=>{vf();sg=class{getVertexFormatInfo(e){if(e==="unorm10-10-10-2")return{type:"unorm8",components:4,byteLength:4,integer:!1,signed:!1,normalized:!0};let t=e==="unorm8x4-bgra"?"unorm8x4":e,n;t.endsWith("-webgl")&&(t=t.slice(0,-6),n=!0);let i=t.split("x");if(i.length>2)throw new Error(`Unsupported vertex format: ${e}`);let[s,o]=i,a=s,c=IB(e,o),l=RB(e,a),u;try{u=n?BB(e,a,c):this.makeVertexFormat(l.signedType,c,l.normalized)}catch{throw new Error(`Unsupported vertex format: ${e}`)}if(u!==(n?e:t))throw new Error(`Unsupported vertex format: ${e}`);let f={type:a,components:c,byteLength:l.byteLength*c,integer:l.integer,signed:l.signed,normalized:l.normalized};return n&&(f.webglOnly=!0),f}makeVertexFormat(e,t,n){let i=n?yt.getNormalizedDataType(e):e;switch(i){case"unorm8":return t===1?"unorm8":t===3?"unorm8x3-webgl":`${i}x${t}`;case"snorm8":return t===1?"snorm8":t===3?"snorm8x3-webgl":`${i}x${t}`;case"uint8":case"sint8":if(t===3)throw new Error(`size: ${t}`);return t===1?i:`${i}x${t}`;case"uint16":return t===1?"uint16":t===3?"uint16x3-webgl":`${i}x${t}`;case"sint16":return t===1?"sint16":t===3?"sint16x3-webgl":`${i}x${t}`;case"unorm16":return t===1?"unorm16":t===3?"unorm16x3-webgl":`${i}x${t}`;case"snorm16":return t===1?"snorm16":t===3?"snorm16x3-webgl":`${i}x${t}`;case"float16":if(t===3)throw new Error(`size: ${t}`);return t===1?i:`${i}x${t}`;default:return t===1?i:`${i}x${t}`}}getVertexFormatFromAttribute(e,t,n){if(!t||t>4)throw new Error(`size ${t}`);let i=t,s=yt.getDataType(e);return this.makeVertexFormat(s,i,n)}getCompatibleVertexFormat(e){let t;switch(e.primitiveType){case"f32":t="float32";break;case"i32":t="sint32";break;case"u32":t="uint32";break;case"f16":return e.components<=2?"float16x2":"float16x4"}return e.components===1?t:`${t}x${e.components}`}},Oe=new sg});function Pf(r){let e=i1[r];if(!e)throw new Error(`Unsupported texture format ${r}`);return e}function n1(){return i1}var xt,Se,xn,kB,Ef,og,Sf,ag,OB,cg,yi,lg,ug,Tf,r1,DB,NB,i1,fg=P(()=>{xt="texture-compression-bc",Se="texture-compression-astc",xn="texture-compression-etc2",kB="texture-compression-etc1-webgl",Ef="texture-compression-pvrtc-webgl",og="texture-compression-atc-webgl",Sf="float32-renderable-webgl",ag="float16-renderable-webgl",OB="rgb9e5ufloat-renderable-webgl",cg="snorm8-renderable-webgl",yi="norm16-webgl",lg="norm16-renderable-webgl",ug="snorm16-renderable-webgl",Tf="float32-filterable",r1="float16-filterable-webgl";DB={r8unorm:{webgpu:527},rg8unorm:{webgpu:527},"rgb8unorm-webgl":{},rgba8unorm:{webgpu:31},"rgba8unorm-srgb":{webgpu:15},r8snorm:{render:cg,webgpu:837},rg8snorm:{render:cg,webgpu:837},"rgb8snorm-webgl":{},rgba8snorm:{render:cg,webgpu:341},r8uint:{webgpu:515},rg8uint:{webgpu:515},rgba8uint:{webgpu:19},r8sint:{webgpu:515},rg8sint:{webgpu:515},rgba8sint:{webgpu:19},bgra8unorm:{webgpu:15},"bgra8unorm-srgb":{webgpu:15360},r16unorm:{f:yi,render:lg,webgpu:992},rg16unorm:{f:yi,render:lg,webgpu:992},"rgb16unorm-webgl":{f:yi,render:!1},rgba16unorm:{f:yi,render:lg,webgpu:992},r16snorm:{f:yi,render:ug,webgpu:992},rg16snorm:{f:yi,render:ug,webgpu:992},"rgb16snorm-webgl":{f:yi,render:!1},rgba16snorm:{f:yi,render:ug,webgpu:992},r16uint:{webgpu:515},rg16uint:{webgpu:515},rgba16uint:{webgpu:19},r16sint:{webgpu:515},rg16sint:{webgpu:515},rgba16sint:{webgpu:19},r16float:{render:ag,filter:"float16-filterable-webgl",webgpu:527},rg16float:{render:ag,filter:r1,webgpu:527},rgba16float:{render:ag,filter:r1,webgpu:31},r32uint:{webgpu:19},rg32uint:{webgpu:16387},rgba32uint:{webgpu:19},r32sint:{webgpu:19},rg32sint:{webgpu:16387},rgba32sint:{webgpu:19},r32float:{render:Sf,filter:Tf,webgpu:19},rg32float:{render:!1,filter:Tf,webgpu:16387},"rgb32float-webgl":{render:Sf,filter:Tf},rgba32float:{render:Sf,filter:Tf,webgpu:19},"rgba4unorm-webgl":{channels:"rgba",bitsPerChannel:[4,4,4,4],packed:!0},"rgb565unorm-webgl":{channels:"rgb",bitsPerChannel:[5,6,5,0],packed:!0},"rgb5a1unorm-webgl":{channels:"rgba",bitsPerChannel:[5,5,5,1],packed:!0},rgb9e5ufloat:{channels:"rgb",packed:!0,render:OB,webgpu:5},rg11b10ufloat:{channels:"rgb",bitsPerChannel:[11,11,10,0],packed:!0,p:1,render:Sf,webgpu:517},rgb10a2unorm:{channels:"rgba",bitsPerChannel:[10,10,10,2],packed:!0,p:1,webgpu:527},rgb10a2uint:{channels:"rgba",bitsPerChannel:[10,10,10,2],packed:!0,p:1,webgpu:515},stencil8:{attachment:"stencil",bitsPerChannel:[8,0,0,0],dataType:"uint8",webgpu:3},depth16unorm:{attachment:"depth",bitsPerChannel:[16,0,0,0],dataType:"uint16",webgpu:3},depth24plus:{attachment:"depth",bitsPerChannel:[24,0,0,0],dataType:"uint32",webgpu:3},depth32float:{attachment:"depth",bitsPerChannel:[32,0,0,0],dataType:"float32",webgpu:3},"depth24plus-stencil8":{attachment:"depth-stencil",bitsPerChannel:[24,8,0,0],packed:!0,webgpu:3},"depth32float-stencil8":{attachment:"depth-stencil",bitsPerChannel:[32,8,0,0],packed:!0,f:"depth32float-stencil8",webgpu:3}},NB={"bc1-rgb-unorm-webgl":{f:xt},"bc1-rgb-unorm-srgb-webgl":{f:xt},"bc1-rgba-unorm":{f:xt},"bc1-rgba-unorm-srgb":{f:xt},"bc2-rgba-unorm":{f:xt},"bc2-rgba-unorm-srgb":{f:xt},"bc3-rgba-unorm":{f:xt},"bc3-rgba-unorm-srgb":{f:xt},"bc4-r-unorm":{f:xt},"bc4-r-snorm":{f:xt},"bc5-rg-unorm":{f:xt},"bc5-rg-snorm":{f:xt},"bc6h-rgb-ufloat":{f:xt},"bc6h-rgb-float":{f:xt},"bc7-rgba-unorm":{f:xt},"bc7-rgba-unorm-srgb":{f:xt},"etc2-rgb8unorm":{f:xn},"etc2-rgb8unorm-srgb":{f:xn},"etc2-rgb8a1unorm":{f:xn},"etc2-rgb8a1unorm-srgb":{f:xn},"etc2-rgba8unorm":{f:xn},"etc2-rgba8unorm-srgb":{f:xn},"eac-r11unorm":{f:xn},"eac-r11snorm":{f:xn},"eac-rg11unorm":{f:xn},"eac-rg11snorm":{f:xn},"astc-4x4-unorm":{f:Se},"astc-4x4-unorm-srgb":{f:Se},"astc-5x4-unorm":{f:Se},"astc-5x4-unorm-srgb":{f:Se},"astc-5x5-unorm":{f:Se},"astc-5x5-unorm-srgb":{f:Se},"astc-6x5-unorm":{f:Se},"astc-6x5-unorm-srgb":{f:Se},"astc-6x6-unorm":{f:Se},"astc-6x6-unorm-srgb":{f:Se},"astc-8x5-unorm":{f:Se},"astc-8x5-unorm-srgb":{f:Se},"astc-8x6-unorm":{f:Se},"astc-8x6-unorm-srgb":{f:Se},"astc-8x8-unorm":{f:Se},"astc-8x8-unorm-srgb":{f:Se},"astc-10x5-unorm":{f:Se},"astc-10x5-unorm-srgb":{f:Se},"astc-10x6-unorm":{f:Se},"astc-10x6-unorm-srgb":{f:Se},"astc-10x8-unorm":{f:Se},"astc-10x8-unorm-srgb":{f:Se},"astc-10x10-unorm":{f:Se},"astc-10x10-unorm-srgb":{f:Se},"astc-12x10-unorm":{f:Se},"astc-12x10-unorm-srgb":{f:Se},"astc-12x12-unorm":{f:Se},"astc-12x12-unorm-srgb":{f:Se},"pvrtc-rgb4unorm-webgl":{f:Ef},"pvrtc-rgba4unorm-webgl":{f:Ef},"pvrtc-rgb2unorm-webgl":{f:Ef},"pvrtc-rgba2unorm-webgl":{f:Ef},"etc1-rbg-unorm-webgl":{f:kB},"atc-rgb-unorm-webgl":{f:og},"atc-rgba-unorm-webgl":{f:og},"atc-rgbai-unorm-webgl":{f:og}},i1={...DB,...NB}});function VB({format:r,width:e,height:t,depth:n,byteAlignment:i}){let s=Nt.getInfo(r),{bytesPerPixel:o,bytesPerBlock:a=o,blockWidth:c=1,blockHeight:l=1,compressed:u=!1}=s,f=u?Math.ceil(e/c):e,d=u?Math.ceil(t/l):t,h=f*a,p=Math.ceil(h/i)*i,m=d,b=p*m*n;return{bytesPerPixel:o,bytesPerRow:p,rowsPerImage:m,depthOrArrayLayers:n,bytesPerImage:p*m,byteLength:b}}function WB(r){let e=Pf(r),t={format:r,create:e.f??!0,render:e.render??!0,filter:e.filter??!0,blend:e.blend??!0,store:e.store??!0},n=s1(r),i=r.startsWith("depth")||r.startsWith("stencil"),s=n?.signed,o=n?.integer,a=n?.webgl,c=!!n?.compressed;return t.render&&=!i&&!c,t.filter&&=!i&&!s&&!o&&!a,t}function s1(r){let e=jB(r);if(Nt.isCompressed(r)){e.channels="rgb",e.components=3,e.bytesPerPixel=1,e.srgb=!1,e.compressed=!0,e.bytesPerBlock=YB(r);let n=HB(r);n&&(e.blockWidth=n.blockWidth,e.blockHeight=n.blockHeight)}let t=e.packed?null:FB.exec(r);if(t){let[,n,i,s,o,a]=t,c=`${s}${i}`,l=yt.getDataTypeInfo(c),u=l.byteLength*8,f=n?.length??1,d=[u,f>=2?u:0,f>=3?u:0,f>=4?u:0];e={format:r,attachment:e.attachment,dataType:l.signedType,components:f,channels:n,integer:l.integer,signed:l.signed,normalized:l.normalized,bitsPerChannel:d,bytesPerPixel:l.byteLength*f,packed:e.packed,srgb:e.srgb},a==="-webgl"&&(e.webgl=!0),o==="-srgb"&&(e.srgb=!0)}return r.endsWith("-webgl")&&(e.webgl=!0),r.endsWith("-srgb")&&(e.srgb=!0),e}function jB(r){let e={...Pf(r)},t=e.bytesPerPixel||1,n=e.bitsPerChannel||[8,8,8,8];return delete e.bitsPerChannel,delete e.bytesPerPixel,delete e.f,delete e.render,delete e.filter,delete e.blend,delete e.store,delete e.webgpu,{...e,format:r,attachment:e.attachment||"color",channels:e.channels||"r",components:e.components||e.channels?.length||1,bytesPerPixel:t,bitsPerChannel:n,dataType:e.dataType||"uint8",srgb:e.srgb??!1,packed:e.packed??!1,webgl:e.webgl??!1,integer:e.integer??!1,signed:e.signed??!1,normalized:e.normalized??!1,compressed:e.compressed??!1}}function HB(r){let t=/.*-(\d+)x(\d+)-.*/.exec(r);if(t){let[,n,i]=t;return{blockWidth:Number(n),blockHeight:Number(i)}}return r.startsWith("bc")||r.startsWith("etc1")||r.startsWith("etc2")||r.startsWith("eac")||r.startsWith("atc")?{blockWidth:4,blockHeight:4}:r.startsWith("pvrtc-rgb4")||r.startsWith("pvrtc-rgba4")?{blockWidth:4,blockHeight:4}:r.startsWith("pvrtc-rgb2")||r.startsWith("pvrtc-rgba2")?{blockWidth:8,blockHeight:4}:null}function YB(r){return r.startsWith("bc1")||r.startsWith("bc4")||r.startsWith("etc1")||r.startsWith("etc2-rgb8")||r.startsWith("etc2-rgb8a1")||r.startsWith("eac-r11")||r==="atc-rgb-unorm-webgl"?8:r.startsWith("bc2")||r.startsWith("bc3")||r.startsWith("bc5")||r.startsWith("bc6h")||r.startsWith("bc7")||r.startsWith("etc2-rgba8")||r.startsWith("eac-rg11")||r.startsWith("astc")||r==="atc-rgba-unorm-webgl"||r==="atc-rgbai-unorm-webgl"?16:r.startsWith("pvrtc")?8:16}var FB,UB,zB,GB,$B,dg,Nt,Af=P(()=>{vf();fg();FB=/^(r|rg|rgb|rgba|bgra)([0-9]*)([a-z]*)(-srgb)?(-webgl)?$/,UB=["rgb","rgba","bgra"],zB=["depth","stencil"],GB=5,$B=["bc1","bc2","bc3","bc4","bc5","bc6","bc7","etc1","etc2","eac","atc","astc","pvrtc"],dg=class{isColor(e){return UB.some(t=>e.startsWith(t))}isDepthStencil(e){return zB.some(t=>e.startsWith(t))}isCompressed(e){return $B.some(t=>e.startsWith(t))}getInfo(e){return s1(e)}getCapabilities(e){return WB(e)}getWebGPUCapabilities(e){let t=Pf(e);return t.webgpu!==void 0?t.webgpu:this.isCompressed(e)&&!e.endsWith("-webgl")?GB:0}computeMemoryLayout(e){return VB(e)}},Nt=new dg});function o1(r){return typeof ImageData<"u"&&r instanceof ImageData||typeof ImageBitmap<"u"&&r instanceof ImageBitmap||typeof HTMLImageElement<"u"&&r instanceof HTMLImageElement||typeof HTMLVideoElement<"u"&&r instanceof HTMLVideoElement||typeof VideoFrame<"u"&&r instanceof VideoFrame||typeof HTMLCanvasElement<"u"&&r instanceof HTMLCanvasElement||typeof OffscreenCanvas<"u"&&r instanceof OffscreenCanvas}function a1(r){if(typeof ImageData<"u"&&r instanceof ImageData||typeof ImageBitmap<"u"&&r instanceof ImageBitmap||typeof HTMLCanvasElement<"u"&&r instanceof HTMLCanvasElement||typeof OffscreenCanvas<"u"&&r instanceof OffscreenCanvas)return{width:r.width,height:r.height};if(typeof HTMLImageElement<"u"&&r instanceof HTMLImageElement)return{width:r.naturalWidth,height:r.naturalHeight};if(typeof HTMLVideoElement<"u"&&r instanceof HTMLVideoElement)return{width:r.videoWidth,height:r.videoHeight};if(typeof VideoFrame<"u"&&r instanceof VideoFrame)return{width:r.displayWidth,height:r.displayHeight};throw new Error("Unknown image type")}var c1=P(()=>{});function qB(r,e){let t=hg(r),n=e.map(hg).filter(i=>i!==void 0);return[t,...n].filter(i=>i!==void 0)}function hg(r){if(r!==void 0){if(r===null||typeof r=="string"||typeof r=="number"||typeof r=="boolean")return r;if(r instanceof Error)return r.message;if(Array.isArray(r))return r.map(hg);if(typeof r=="object"){if(XB(r)){let e=String(r);if(e!=="[object Object]")return e}return ZB(r)?KB(r):r.constructor?.name||"Object"}return String(r)}}function XB(r){return"toString"in r&&typeof r.toString=="function"&&r.toString!==Object.prototype.toString}function ZB(r){return"message"in r&&"type"in r}function KB(r){let e=typeof r.type=="string"?r.type:"message",t=typeof r.message=="string"?r.message:"",n=typeof r.lineNum=="number"?r.lineNum:null,i=typeof r.linePos=="number"?r.linePos:null,s=n!==null&&i!==null?` @ ${n}:${i}`:n!==null?` @ ${n}`:"";return`${e}${s}: ${t}`.trim()}function pg(){if(typeof HTMLCanvasElement>"u")return!1;let r=HTMLCanvasElement.prototype;return"layoutSubtree"in r&&typeof r.requestPaint=="function"}var yc,_c,Yn,l1=P(()=>{Jm();Dt();Uo();_f();bc();Af();c1();fg();Km();yc=class{};_c=class{features;disabledFeatures;constructor(e=[],t){this.features=new Set(e),this.disabledFeatures=t||{}}*[Symbol.iterator](){yield*this.features}has(e){return!this.disabledFeatures?.[e]&&this.features.has(e)}};Yn=class r{static defaultProps={...gf};get[Symbol.toStringTag](){return"Device"}toString(){return`Device(${this.id})`}toJSON(){return this.toString()}id;props;userData={};statsManager=bf;_factories={};timestamp=0;_reused=!1;_moduleData={};wgslLanguageFeatures=new Set;_textureCaps={};_debugGPUTimeQuery=null;constructor(e){this.props={...r.defaultProps,...e},this.id=this.props.id||_n(this[Symbol.toStringTag].toLowerCase())}getVertexFormatInfo(e){return Oe.getVertexFormatInfo(e)}isVertexFormatSupported(e){return!0}getTextureFormatInfo(e){return Nt.getInfo(e)}getTextureFormatCapabilities(e){let t=this._textureCaps[e];if(!t){let n=this._getDeviceTextureFormatCapabilities(e);t=this._getDeviceSpecificTextureFormatCapabilities(n),this._textureCaps[e]=t}return t}getMipLevelCount(e,t,n=1){let i=Math.max(e,t,n);return 1+Math.floor(Math.log2(i))}isExternalImage(e){return o1(e)}getExternalImageSize(e){return a1(e)}isTextureFormatSupported(e){return this.getTextureFormatCapabilities(e).create}isTextureFormatFilterable(e){return this.getTextureFormatCapabilities(e).filter}isTextureFormatRenderable(e){return this.getTextureFormatCapabilities(e).render}isTextureFormatCompressed(e){return Nt.isCompressed(e)}getSupportedCompressedTextureFormats(){let e=[];for(let t of Object.keys(n1()))this.isTextureFormatCompressed(t)&&this.isTextureFormatSupported(t)&&e.push(t);return e}pushDebugGroup(e){this.commandEncoder.pushDebugGroup(e)}popDebugGroup(){this.commandEncoder?.popDebugGroup()}insertDebugMarker(e){this.commandEncoder?.insertDebugMarker(e)}loseDevice(){return!1}incrementTimestamp(){return this.timestamp++}reportError(e,t,...n){if(!this.props.onError(e,t)){let s=qB(t,n);return k.error(this.type==="webgl"?"%cWebGL":"%cWebGPU","color: white; background: red; padding: 2px 6px; border-radius: 3px;",e.message,...s)}return()=>{}}debug(){if(this.props.debug)debugger;else k.once(0,`'Type luma.log.set({debug: true}) in console to enable debug breakpoints',
or create a device with the 'debug: true' prop.`)()}getDefaultCanvasContext(){if(!this.canvasContext)throw new Error("Device has no default CanvasContext. See props.createCanvasContext");return this.canvasContext}createFence(){throw new Error("createFence() not implemented")}beginRenderPass(e){return this.commandEncoder.beginRenderPass(e)}beginComputePass(e){return this.commandEncoder.beginComputePass(e)}writeBufferViaCommandEncoder(e,t,n,i=0){throw new Error("writeBufferViaCommandEncoder() not implemented")}generateMipmapsWebGPU(e){throw new Error("not implemented")}_createSharedRenderPipelineWebGL(e){throw new Error("_createSharedRenderPipelineWebGL() not implemented")}_createBindGroupLayoutWebGPU(e,t){throw new Error("_createBindGroupLayoutWebGPU() not implemented")}_createBindGroupWebGPU(e,t,n,i,s){throw new Error("_createBindGroupWebGPU() not implemented")}_supportsDebugGPUTime(){return this.features.has("timestamp-query")&&!!(this.props.debug||this.props.debugGPUTime)}_enableDebugGPUTime(e=256){if(!this._supportsDebugGPUTime())return null;if(this._debugGPUTimeQuery)return this._debugGPUTimeQuery;try{this._debugGPUTimeQuery=this.createQuerySet({type:"timestamp",count:e}),this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id,timeProfilingQuerySet:this._debugGPUTimeQuery})}catch{this._debugGPUTimeQuery=null}return this._debugGPUTimeQuery}_disableDebugGPUTime(){this._debugGPUTimeQuery&&(this.commandEncoder.getTimeProfilingQuerySet()===this._debugGPUTimeQuery&&(this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id})),this._debugGPUTimeQuery.destroy(),this._debugGPUTimeQuery=null)}_isDebugGPUTimeEnabled(){return this._debugGPUTimeQuery!==null}getCanvasContext(){return this.getDefaultCanvasContext()}readPixelsToArrayWebGL(e,t){throw new Error("not implemented")}readPixelsToBufferWebGL(e,t){throw new Error("not implemented")}setParametersWebGL(e){throw new Error("not implemented")}getParametersWebGL(e){throw new Error("not implemented")}withParametersWebGL(e,t){throw new Error("not implemented")}clearWebGL(e){throw new Error("not implemented")}resetWebGL(){throw new Error("not implemented")}getModuleData(e){return this._moduleData[e]||={},this._moduleData[e]}static _getCanvasContextProps(e){return e.createCanvasContext===!0?{}:e.createCanvasContext}_getDeviceTextureFormatCapabilities(e){let t=Nt.getCapabilities(e),n=s=>(typeof s=="string"?this.features.has(s):s)??!0,i=n(t.create);return{format:e,create:i,render:i&&n(t.render),filter:i&&n(t.filter),blend:i&&n(t.blend),store:i&&n(t.store)}}_normalizeBufferProps(e){(e instanceof ArrayBuffer||ArrayBuffer.isView(e))&&(e={data:e});let t={...e};if((e.usage||0)&re.INDEX&&(e.indexType||(e.data instanceof Uint32Array?t.indexType="uint32":e.data instanceof Uint16Array?t.indexType="uint16":e.data instanceof Uint8Array&&(t.data=new Uint16Array(e.data),t.indexType="uint16")),!t.indexType))throw new Error("indices buffer content must be of type uint16 or uint32");return t}}});var Lf,u1=P(()=>{Lf=class{props;_resizeObserver;_intersectionObserver;_observeDevicePixelRatioTimeout=null;_observeDevicePixelRatioMediaQuery=null;_handleDevicePixelRatioChange=()=>this._refreshDevicePixelRatio();_trackPositionInterval=null;_started=!1;get started(){return this._started}constructor(e){this.props=e}start(){if(this._started||!this.props.canvas)return;this._started=!0,this._intersectionObserver||=new IntersectionObserver(t=>this.props.onIntersection(t)),this._resizeObserver||=new ResizeObserver(t=>this.props.onResize(t)),this._intersectionObserver.observe(this.props.canvas);let e=this.props.resizeObserverBox;try{this._resizeObserver.observe(this.props.canvas,{box:e})}catch{this._resizeObserver.observe(this.props.canvas,{box:"content-box"})}this._observeDevicePixelRatioTimeout=setTimeout(()=>this._refreshDevicePixelRatio(),0),this.props.trackPosition&&this._trackPosition()}stop(){this._started&&(this._started=!1,this._observeDevicePixelRatioTimeout&&(clearTimeout(this._observeDevicePixelRatioTimeout),this._observeDevicePixelRatioTimeout=null),this._observeDevicePixelRatioMediaQuery&&(this._observeDevicePixelRatioMediaQuery.removeEventListener("change",this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=null),this._trackPositionInterval&&(clearInterval(this._trackPositionInterval),this._trackPositionInterval=null),this._resizeObserver?.disconnect(),this._intersectionObserver?.disconnect())}_refreshDevicePixelRatio(){this._started&&(this.props.onDevicePixelRatioChange(),this._observeDevicePixelRatioMediaQuery?.removeEventListener("change",this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`),this._observeDevicePixelRatioMediaQuery.addEventListener("change",this._handleDevicePixelRatioChange,{once:!0}))}_trackPosition(e=100){this._trackPositionInterval||(this._trackPositionInterval=setInterval(()=>{this._started?this.props.onPositionChange():this._trackPositionInterval&&(clearInterval(this._trackPositionInterval),this._trackPositionInterval=null)},e))}}});function f1(){let r,e;return{promise:new Promise((n,i)=>{r=n,e=i}),resolve:r,reject:e}}var d1=P(()=>{});function _i(r,e){if(!r){let t=new Error(e??"luma.gl assertion failed.");throw Error.captureStackTrace?.(t,_i),t}}function xi(r,e){return _i(r,e),r}var mg=P(()=>{});function QB(r){if(typeof r=="string"){let e=document.getElementById(r);if(!e)throw new Error(`${r} is not an HTML element`);return e}return r||document.body}function JB(r){let e=document.getElementById(r);if(!wi.isHTMLCanvas(e))throw new Error("Object is not a canvas element");return e}function ek(r){let{width:e,height:t}=r,n=document.createElement("canvas");n.id=_n("lumagl-auto-created-canvas"),n.width=e||1,n.height=t||1,n.style.width=Number.isFinite(e)?`${e}px`:"100%",n.style.height=Number.isFinite(t)?`${t}px`:"100%",r?.visible||(n.style.visibility="hidden");let i=QB(r?.container||null);return i.insertBefore(n,i.firstChild),n}function tk(r,e,t,n,i){let s=r,o=h1(s[0],e,t),a=p1(s[1],e,n,i),c=h1(s[0]+1,e,t),l=c===t-1?c:c-1;c=p1(s[1]+1,e,n,i);let u;return i?(c=c===0?c:c+1,u=a,a=c):u=c===n-1?c:c-1,{x:o,y:a,width:Math.max(l-o+1,1),height:Math.max(u-a+1,1)}}function h1(r,e,t){return Math.min(Math.round(r*e),t-1)}function p1(r,e,t,n){return n?Math.max(0,t-1-Math.round(r*e)):Math.min(Math.round(r*e),t-1)}var wi,gg=P(()=>{ns();u1();Uo();d1();mg();wi=class r{static isHTMLCanvas(e){return typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement}static isOffscreenCanvas(e){return typeof OffscreenCanvas<"u"&&e instanceof OffscreenCanvas}static defaultProps={id:void 0,canvas:null,width:800,height:600,useDevicePixels:!0,pixelSizeSource:"exact",autoResize:!0,container:null,visible:!0,alphaMode:"opaque",colorSpace:"srgb",colorFormat:void 0,toneMapping:"standard",trackPosition:!1};id;props;canvas;htmlCanvas;offscreenCanvas;type;initialized;isInitialized=!1;isVisible=!0;cssWidth;cssHeight;devicePixelRatio;devicePixelWidth;devicePixelHeight;drawingBufferWidth;drawingBufferHeight;_initializedResolvers=f1();_canvasObserver;_position=[0,0];destroyed=!1;_needsDrawingBufferResize=!0;_configuredDrawingBufferSize=[0,0];toString(){return`${this[Symbol.toStringTag]}(${this.id})`}constructor(e){this.props={...r.defaultProps,...e},e=this.props,this.initialized=this._initializedResolvers.promise,or()?e.canvas?typeof e.canvas=="string"?this.canvas=JB(e.canvas):this.canvas=e.canvas:this.canvas=ek(e):this.canvas={width:e.width||1,height:e.height||1},r.isHTMLCanvas(this.canvas)?(this.id=e.id||this.canvas.id,this.type="html-canvas",this.htmlCanvas=this.canvas):r.isOffscreenCanvas(this.canvas)?(this.id=e.id||"offscreen-canvas",this.type="offscreen-canvas",this.offscreenCanvas=this.canvas):(this.id=e.id||"node-canvas-context",this.type="node"),this.cssWidth=this.htmlCanvas?.clientWidth||this.canvas.width,this.cssHeight=this.htmlCanvas?.clientHeight||this.canvas.height,this.devicePixelWidth=this.canvas.width,this.devicePixelHeight=this.canvas.height,this.drawingBufferWidth=this.canvas.width,this.drawingBufferHeight=this.canvas.height,this._configuredDrawingBufferSize=[this.canvas.width,this.canvas.height],this.devicePixelRatio=globalThis.devicePixelRatio||1,this._position=[0,0],this._canvasObserver=new Lf({canvas:this.htmlCanvas,trackPosition:this.props.trackPosition,resizeObserverBox:this.props.pixelSizeSource==="css-dpr"?"content-box":"device-pixel-content-box",onResize:t=>this._handleResize(t),onIntersection:t=>this._handleIntersection(t),onDevicePixelRatioChange:()=>this._observeDevicePixelRatio(),onPositionChange:()=>this.updatePosition()})}destroy(){this.destroyed||(this.destroyed=!0,this._stopObservers(),this.device=null)}setProps(e){return"useDevicePixels"in e&&(this.props.useDevicePixels=e.useDevicePixels||!1,this._updateDrawingBufferSize()),this}getCurrentFramebuffer(e){return this._resizeDrawingBufferIfNeeded(),this._getCurrentFramebuffer(e)}getCSSSize(){return[this.cssWidth,this.cssHeight]}getPosition(){return this._position}getDevicePixelSize(){return[this.devicePixelWidth,this.devicePixelHeight]}getDrawingBufferSize(){return[this.drawingBufferWidth,this.drawingBufferHeight]}getMaxDrawingBufferSize(){let e=this.device.limits.maxTextureDimension2D;return[e,e]}setDrawingBufferSize(e,t){e=Math.floor(e),t=Math.floor(t),!(this.drawingBufferWidth===e&&this.drawingBufferHeight===t)&&(this.drawingBufferWidth=e,this.drawingBufferHeight=t,this._needsDrawingBufferResize=!0)}getDevicePixelRatio(){return typeof window<"u"&&window.devicePixelRatio||1}cssToDevicePixels(e,t=!0){let n=this.cssToDeviceRatio(),[i,s]=this.getDrawingBufferSize();return tk(e,n,i,s,t)}getPixelSize(){return this.getDevicePixelSize()}getAspect(){let[e,t]=this.getDrawingBufferSize();return e>0&&t>0?e/t:1}cssToDeviceRatio(){try{let[e]=this.getDrawingBufferSize(),[t]=this.getCSSSize();return t?e/t:1}catch{return 1}}resize(e){this.setDrawingBufferSize(e.width,e.height)}_setAutoCreatedCanvasId(e){this.htmlCanvas?.id==="lumagl-auto-created-canvas"&&(this.htmlCanvas.id=e)}_startObservers(){this.destroyed||this._canvasObserver.start()}_stopObservers(){this._canvasObserver.stop()}_handleIntersection(e){if(this.destroyed)return;let t=e.find(i=>i.target===this.canvas);if(!t)return;let n=t.isIntersecting;this.isVisible!==n&&(this.isVisible=n,this.device.props.onVisibilityChange(this))}_handleResize(e){if(this.destroyed)return;let t=e.find(s=>s.target===this.canvas);if(!t)return;let n=xi(t.contentBoxSize?.[0]);this.cssWidth=n.inlineSize,this.cssHeight=n.blockSize;let i=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromResizeEntry(t)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:i})}_updateDrawingBufferSize(){if(this.props.autoResize)if(typeof this.props.useDevicePixels=="number"){let e=this.props.useDevicePixels;this.setDrawingBufferSize(this.cssWidth*e,this.cssHeight*e)}else this.props.useDevicePixels?this.setDrawingBufferSize(this.devicePixelWidth,this.devicePixelHeight):this.setDrawingBufferSize(this.cssWidth,this.cssHeight);this._initializedResolvers.resolve(),this.isInitialized=!0,this.updatePosition()}_getDevicePixelSizeFromResizeEntry(e){let t=xi(e.contentBoxSize?.[0]);return this.props.pixelSizeSource==="css-dpr"?this._getDevicePixelSizeFromCSSSize(t.inlineSize,t.blockSize):{devicePixelWidth:e.devicePixelContentBoxSize?.[0]?.inlineSize||t.inlineSize*devicePixelRatio,devicePixelHeight:e.devicePixelContentBoxSize?.[0]?.blockSize||t.blockSize*devicePixelRatio}}_getDevicePixelSizeFromCSSSize(e,t){let n=this.getDevicePixelRatio();return{devicePixelWidth:Math.floor(e*n),devicePixelHeight:Math.floor(t*n)}}_setDevicePixelSize({devicePixelWidth:e,devicePixelHeight:t}){let[n,i]=this.getMaxDrawingBufferSize();this.devicePixelWidth=Math.max(1,Math.min(e,n)),this.devicePixelHeight=Math.max(1,Math.min(t,i))}_resizeDrawingBufferIfNeeded(){if(this._needsDrawingBufferResize){this._needsDrawingBufferResize=!1,(this.drawingBufferWidth!==this.canvas.width||this.drawingBufferHeight!==this.canvas.height)&&(this.canvas.width=this.drawingBufferWidth,this.canvas.height=this.drawingBufferHeight);let[t,n]=this._configuredDrawingBufferSize;(this.drawingBufferWidth!==t||this.drawingBufferHeight!==n)&&(this._configureDevice(),this._configuredDrawingBufferSize=[this.drawingBufferWidth,this.drawingBufferHeight])}}_observeDevicePixelRatio(){if(this.destroyed||!this._canvasObserver.started)return;let e=this.devicePixelRatio;if(this.devicePixelRatio=window.devicePixelRatio,this.props.pixelSizeSource==="css-dpr"){let t=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromCSSSize(this.cssWidth,this.cssHeight)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:t})}this.updatePosition(),this.device.props.onDevicePixelRatioChange?.(this,{oldRatio:e})}updatePosition(){if(this.destroyed)return;let e=this.htmlCanvas?.getBoundingClientRect();if(e){let t=[e.left,e.top];if(this._position??=t,t[0]!==this._position[0]||t[1]!==this._position[1]){let i=this._position;this._position=t,this.device.props.onPositionChange?.(this,{oldPosition:i})}}}}});var xc,m1=P(()=>{gg();xc=class extends wi{static defaultProps=wi.defaultProps}});var wc,g1=P(()=>{gg();wc=class extends wi{}});var ds,bg=P(()=>{ht();ds=class r extends ee{static defaultProps={...ee.defaultProps,type:"color-sampler",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge",addressModeW:"clamp-to-edge",magFilter:"nearest",minFilter:"nearest",mipmapFilter:"none",lodMinClamp:0,lodMaxClamp:32,compare:"less-equal",maxAnisotropy:1};get[Symbol.toStringTag](){return"Sampler"}constructor(e,t){t=r.normalizeProps(e,t),super(e,t,r.defaultProps)}static normalizeProps(e,t){return t}}});var rk,de,yg=P(()=>{ht();bg();Dt();Af();rk={"1d":"1d","2d":"2d","2d-array":"2d",cube:"2d","cube-array":"2d","3d":"3d"},de=class r extends ee{static SAMPLE=4;static STORAGE=8;static RENDER=16;static COPY_SRC=1;static COPY_DST=2;static TEXTURE=4;static RENDER_ATTACHMENT=16;dimension;baseDimension;format;width;height;depth;mipLevels;samples;byteAlignment;ready=Promise.resolve(this);isReady=!0;updateTimestamp;get[Symbol.toStringTag](){return"Texture"}toString(){return`Texture(${this.id},${this.format},${this.width}x${this.height})`}constructor(e,t,n){if(t=r.normalizeProps(e,t),super(e,t,r.defaultProps),this.dimension=this.props.dimension,this.baseDimension=rk[this.dimension],this.format=this.props.format,this.width=this.props.width,this.height=this.props.height,this.depth=this.props.depth,this.mipLevels=this.props.mipLevels,this.samples=this.props.samples||1,this.dimension==="cube"&&(this.depth=6),this.props.width===void 0||this.props.height===void 0)if(e.isExternalImage(t.data)){let i=e.getExternalImageSize(t.data);this.width=i?.width||1,this.height=i?.height||1}else this.width=1,this.height=1,(this.props.width===void 0||this.props.height===void 0)&&k.warn(`${this} created with undefined width or height. This is deprecated. Use DynamicTexture instead.`)();this.byteAlignment=n?.byteAlignment||1,this.updateTimestamp=e.incrementTimestamp()}clone(e){return this.device.createTexture({...this.props,...e})}setSampler(e){this.sampler=e instanceof ds?e:this.device.createSampler(e)}copyImageData(e){let{data:t,depth:n,...i}=e;this.writeData(t,{...i,depthOrArrayLayers:i.depthOrArrayLayers??n})}computeMemoryLayout(e={}){let t=this._normalizeTextureReadOptions(e),{width:n=this.width,height:i=this.height,depthOrArrayLayers:s=this.depth}=t,{format:o,byteAlignment:a}=this;return Nt.computeMemoryLayout({format:o,width:n,height:i,depth:s,byteAlignment:a})}readBuffer(e,t){throw new Error("readBuffer not implemented")}readDataAsync(e){throw new Error("readBuffer not implemented")}writeBuffer(e,t){throw new Error("readBuffer not implemented")}writeData(e,t){throw new Error("readBuffer not implemented")}readDataSyncWebGL(e){throw new Error("readDataSyncWebGL not available")}generateMipmapsWebGL(){throw new Error("generateMipmapsWebGL not available")}static normalizeProps(e,t){let n={...t},{width:i,height:s}=n;return typeof i=="number"&&(n.width=Math.max(1,Math.ceil(i))),typeof s=="number"&&(n.height=Math.max(1,Math.ceil(s))),n}_initializeData(e){this.device.isExternalImage(e)?this.copyExternalImage({image:e,width:this.width,height:this.height,depth:this.depth,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1}):e&&this.copyImageData({data:e,mipLevel:0,x:0,y:0,z:0,aspect:"all"})}_normalizeCopyImageDataOptions(e){let{data:t,depth:n,...i}=e,s=this._normalizeTextureWriteOptions({...i,depthOrArrayLayers:i.depthOrArrayLayers??n});return{data:t,depth:s.depthOrArrayLayers,...s}}_normalizeCopyExternalImageOptions(e){let t=r._omitUndefined(e),n=t.mipLevel??0,i=this._getMipLevelSize(n),s=this.device.getExternalImageSize(e.image),o={...r.defaultCopyExternalImageOptions,...i,...s,...t};return o.width=Math.min(o.width,i.width-o.x),o.height=Math.min(o.height,i.height-o.y),o.depth=Math.min(o.depth,i.depthOrArrayLayers-o.z),o}_normalizeCopyElementImageOptions(e){let t=r._omitUndefined(e),n=t.mipLevel??0,i=this._getMipLevelSize(n),s={...r.defaultCopyElementImageOptions,...i,...t};return s.width=Math.min(s.width,i.width-s.x),s.height=Math.min(s.height,i.height-s.y),s.depth=Math.min(s.depth,i.depthOrArrayLayers-s.z),s}_normalizeTextureReadOptions(e){let t=r._omitUndefined(e),n=t.mipLevel??0,i=this._getMipLevelSize(n),s={...r.defaultTextureReadOptions,...i,...t};return s.width=Math.min(s.width,i.width-s.x),s.height=Math.min(s.height,i.height-s.y),s.depthOrArrayLayers=Math.min(s.depthOrArrayLayers,i.depthOrArrayLayers-s.z),s}_getSupportedColorReadOptions(e){let t=this._normalizeTextureReadOptions(e),n=Nt.getInfo(this.format);switch(this._validateColorReadAspect(t),this._validateColorReadFormat(n),this.dimension){case"2d":case"cube":case"cube-array":case"2d-array":case"3d":return t;default:throw new Error(`${this} color readback does not support ${this.dimension} textures`)}}_validateColorReadAspect(e){if(e.aspect!=="all")throw new Error(`${this} color readback only supports aspect 'all'`)}_validateColorReadFormat(e){if(e.compressed)throw new Error(`${this} color readback does not support compressed formats (${this.format})`);switch(e.attachment){case"color":return;case"depth":throw new Error(`${this} color readback does not support depth formats (${this.format})`);case"stencil":throw new Error(`${this} color readback does not support stencil formats (${this.format})`);case"depth-stencil":throw new Error(`${this} color readback does not support depth-stencil formats (${this.format})`);default:throw new Error(`${this} color readback does not support format ${this.format}`)}}_normalizeTextureWriteOptions(e){let t=r._omitUndefined(e),n=t.mipLevel??0,i=this._getMipLevelSize(n),s={...r.defaultTextureWriteOptions,...i,...t};s.width=Math.min(s.width,i.width-s.x),s.height=Math.min(s.height,i.height-s.y),s.depthOrArrayLayers=Math.min(s.depthOrArrayLayers,i.depthOrArrayLayers-s.z);let o=Nt.computeMemoryLayout({format:this.format,width:s.width,height:s.height,depth:s.depthOrArrayLayers,byteAlignment:this.byteAlignment}),a=o.bytesPerPixel*s.width;if(s.bytesPerRow=t.bytesPerRow??o.bytesPerRow,s.rowsPerImage=t.rowsPerImage??s.height,s.bytesPerRow<a)throw new Error(`bytesPerRow (${s.bytesPerRow}) must be at least ${a} for ${this.format}`);if(s.rowsPerImage<s.height)throw new Error(`rowsPerImage (${s.rowsPerImage}) must be at least ${s.height} for ${this.format}`);let c=this.device.getTextureFormatInfo(this.format).bytesPerPixel;if(c&&s.bytesPerRow%c!==0)throw new Error(`bytesPerRow (${s.bytesPerRow}) must be a multiple of bytesPerPixel (${c}) for ${this.format}`);return s}_getMipLevelSize(e){let t=Math.max(1,this.width>>e),n=this.baseDimension==="1d"?1:Math.max(1,this.height>>e),i=this.dimension==="3d"?Math.max(1,this.depth>>e):this.depth;return{width:t,height:n,depthOrArrayLayers:i}}getAllocatedByteLength(){let e=0;for(let t=0;t<this.mipLevels;t++){let{width:n,height:i,depthOrArrayLayers:s}=this._getMipLevelSize(t);e+=Nt.computeMemoryLayout({format:this.format,width:n,height:i,depth:s,byteAlignment:1}).byteLength}return e*this.samples}static _omitUndefined(e){return Object.fromEntries(Object.entries(e).filter(([,t])=>t!==void 0))}static defaultProps={...ee.defaultProps,data:null,dimension:"2d",format:"rgba8unorm",usage:r.SAMPLE|r.RENDER|r.COPY_DST,width:void 0,height:void 0,depth:1,mipLevels:1,samples:void 0,sampler:{},view:void 0};static defaultCopyDataOptions={data:void 0,byteOffset:0,bytesPerRow:void 0,rowsPerImage:void 0,width:void 0,height:void 0,depthOrArrayLayers:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all"};static defaultCopyExternalImageOptions={image:void 0,sourceX:0,sourceY:0,width:void 0,height:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1};static defaultCopyElementImageOptions={element:void 0,width:void 0,height:void 0,sourceX:0,sourceY:0,sourceWidth:void 0,sourceHeight:void 0,depth:1,mipLevel:0,x:0,y:0,z:0,aspect:"all",colorSpace:"srgb",premultipliedAlpha:!1,flipY:!1};static defaultTextureReadOptions={x:0,y:0,z:0,width:void 0,height:void 0,depthOrArrayLayers:1,mipLevel:0,aspect:"all"};static defaultTextureWriteOptions={byteOffset:0,bytesPerRow:void 0,rowsPerImage:void 0,x:0,y:0,z:0,width:void 0,height:void 0,depthOrArrayLayers:1,mipLevel:0,aspect:"all"}}});var hs,b1=P(()=>{ht();hs=class r extends ee{get[Symbol.toStringTag](){return"TextureView"}constructor(e,t){super(e,t,r.defaultProps)}static defaultProps={...ee.defaultProps,format:void 0,dimension:void 0,aspect:"all",baseMipLevel:0,mipLevelCount:void 0,baseArrayLayer:0,arrayLayerCount:void 0}}});var vc,y1=P(()=>{ht();vc=class r extends ee{width;height;updateTimestamp;get[Symbol.toStringTag](){return"ExternalTexture"}constructor(e,t){super(e,t,r.defaultProps);let n=this.props.source?e.getExternalImageSize(this.props.source):null;this.width=this.props.width||n?.width||0,this.height=this.props.height||n?.height||0,this.updateTimestamp=e.incrementTimestamp()}static defaultProps={...ee.defaultProps,source:void 0,width:0,height:0,colorSpace:"srgb",sampler:{}}}});function _1(r,e,t){let n="",i=e.split(/\r?\n/),s=r.slice().sort((o,a)=>o.lineNum-a.lineNum);switch(t?.showSourceCode||"no"){case"all":let o=0;for(let a=1;a<=i.length;a++){let c=i[a-1],l=s[o];for(c&&l&&(n+=x1(c,a,t));s.length>o&&l.lineNum===a;){let u=s[o++];u&&(n+=_g(u,i,u.lineNum,{...t,inlineSource:!1}))}}for(;s.length>o;){let a=s[o++];a&&(n+=_g(a,[],0,{...t,inlineSource:!1}))}return n;case"issues":case"no":for(let a of r)n+=_g(a,i,a.lineNum,{inlineSource:t?.showSourceCode!=="no"});return n}}function _g(r,e,t,n){if(n?.inlineSource){let s=nk(e,t),o=r.linePos>0?`${" ".repeat(r.linePos+5)}^^^
`:"";return`
${s}${o}${r.type.toUpperCase()}: ${r.message}

`}let i=r.type==="error"?"red":"orange";return n?.html?`<div class='luma-compiler-log-${r.type}' style="color:${i};"><b> ${r.type.toUpperCase()}: ${r.message}</b></div>`:`${r.type.toUpperCase()}: ${r.message}`}function nk(r,e,t){let n="";for(let i=e-2;i<=e;i++){let s=r[i-1];s!==void 0&&(n+=x1(s,e,t))}return n}function x1(r,e,t){let n=t?.html?sk(r):r;return`${ik(String(e),4)}: ${n}${t?.html?"<br/>":`
`}`}function ik(r,e){let t="";for(let n=r.length;n<e;++n)t+=" ";return t+r}function sk(r){return r.replaceAll("&","&amp;").replaceAll("<","&lt;").replaceAll(">","&gt;").replaceAll('"',"&quot;").replaceAll("'","&#039;")}var w1=P(()=>{});function ok(r){return ak(r.source)||r.id||_n(`unnamed ${r.stage}-shader`)}function ak(r,e="unnamed"){return/#define[\s*]SHADER_NAME[\s*]([A-Za-z0-9_-]+)[\s*]/.exec(r)?.[1]??e}var ps,xg=P(()=>{ht();Dt();Uo();w1();ps=class r extends ee{get[Symbol.toStringTag](){return"Shader"}stage;source;compilationStatus="pending";constructor(e,t){t={...t,debugShaders:t.debugShaders||e.props.debugShaders||"errors"},super(e,{id:ok(t),...t},r.defaultProps),this.stage=this.props.stage,this.source=this.props.source}getCompilationInfoSync(){return null}getTranslatedSource(){return null}async debugShader(){let e=this.props.debugShaders;switch(e){case"never":return;case"errors":if(this.compilationStatus==="success")return;break;case"warnings":case"always":break}try{let t=await this.getCompilationInfo();if(e==="warnings"&&t?.length===0)return;this._displayShaderLog(t,this.id)}catch(t){k.warn(`Shader ${this.id}: failed to fetch compilation info during debug logging`,t)()}}_displayShaderLog(e,t){if(typeof document>"u"||!document?.createElement)return;let n=t,i=`${this.stage} shader "${n}"`,s=_1(e,this.source,{showSourceCode:"all",html:!0}),o=this.getTranslatedSource(),a=document.createElement("div");a.innerHTML=`<h1>Compilation error in ${i}</h1>
<div style="display:flex;position:fixed;top:10px;right:20px;gap:2px;">
<button id="copy">Copy source</button><br/>
<button id="close">Close</button>
</div>
<code><pre>${s}</pre></code>`,o&&(a.innerHTML+=`<br /><h1>Translated Source</h1><br /><br /><code><pre>${o}</pre></code>`),a.style.top="0",a.style.left="0",a.style.background="white",a.style.position="fixed",a.style.zIndex="9999",a.style.maxWidth="100vw",a.style.maxHeight="100vh",a.style.overflowY="auto",document.body.appendChild(a),a.querySelector(".luma-compiler-log-error")?.scrollIntoView(),a.querySelector("button#close").onclick=()=>{a.remove()},a.querySelector("button#copy").onclick=()=>{navigator.clipboard.writeText(this.source)}}static defaultProps={...ee.defaultProps,language:"auto",stage:void 0,source:"",sourceMap:null,entryPoint:"main",debugShaders:void 0}}});var ms,v1=P(()=>{ht();yg();Dt();ms=class r extends ee{get[Symbol.toStringTag](){return"Framebuffer"}width;height;constructor(e,t={}){super(e,t,r.defaultProps),this.width=this.props.width,this.height=this.props.height}clone(e){let t=this.colorAttachments.map(i=>i.texture.clone(e)),n=this.depthStencilAttachment&&this.depthStencilAttachment.texture.clone(e);return this.device.createFramebuffer({...this.props,...e,colorAttachments:t,depthStencilAttachment:n})}resize(e){let t=!e;if(e){let[n,i]=Array.isArray(e)?e:[e.width,e.height];t=t||i!==this.height||n!==this.width,this.width=n,this.height=i}t&&(k.log(2,`Resizing framebuffer ${this.id} to ${this.width}x${this.height}`)(),this.resizeAttachments(this.width,this.height))}autoCreateAttachmentTextures(){if(this.props.colorAttachments.length===0&&!this.props.depthStencilAttachment)throw new Error("Framebuffer has noattachments");this.colorAttachments=this.props.colorAttachments.map((t,n)=>{if(typeof t=="string"){let i=this.createColorTexture(t,n);return this.attachResource(i),i.view}return t instanceof de?t.view:t});let e=this.props.depthStencilAttachment;if(e)if(typeof e=="string"){let t=this.createDepthStencilTexture(e);this.attachResource(t),this.depthStencilAttachment=t.view}else e instanceof de?this.depthStencilAttachment=e.view:this.depthStencilAttachment=e}createColorTexture(e,t){return this.device.createTexture({id:`${this.id}-color-attachment-${t}`,usage:de.RENDER_ATTACHMENT,format:e,width:this.width,height:this.height,sampler:{magFilter:"linear",minFilter:"linear"}})}createDepthStencilTexture(e){return this.device.createTexture({id:`${this.id}-depth-stencil-attachment`,usage:de.RENDER_ATTACHMENT|de.SAMPLE,format:e,width:this.width,height:this.height})}resizeAttachments(e,t){if(this.colorAttachments.forEach((n,i)=>{let s=n.texture.clone({width:e,height:t});this.destroyAttachedResource(n),this.colorAttachments[i]=s.view,this.attachResource(s.view)}),this.depthStencilAttachment){let n=this.depthStencilAttachment.texture.clone({width:e,height:t});this.destroyAttachedResource(this.depthStencilAttachment),this.depthStencilAttachment=n.view,this.attachResource(n)}this.updateAttachments()}static defaultProps={...ee.defaultProps,width:1,height:1,colorAttachments:[],depthStencilAttachment:null}}});var Lr,wg=P(()=>{ht();Lr=class r extends ee{get[Symbol.toStringTag](){return"RenderPipeline"}shaderLayout;bufferLayout;linkStatus="pending";hash="";sharedRenderPipeline=null;get isPending(){return this.linkStatus==="pending"||this.vs.compilationStatus==="pending"||this.fs?.compilationStatus==="pending"}get isErrored(){return this.linkStatus==="error"||this.vs.compilationStatus==="error"||this.fs?.compilationStatus==="error"}constructor(e,t){super(e,t,r.defaultProps),this.shaderLayout=this.props.shaderLayout,this.bufferLayout=this.props.bufferLayout||[],this.sharedRenderPipeline=this.props._sharedRenderPipeline||null}static defaultProps={...ee.defaultProps,vs:null,vertexEntryPoint:"vertexMain",vsConstants:{},fs:null,fragmentEntryPoint:"fragmentMain",fsConstants:{},shaderLayout:null,bufferLayout:[],topology:"triangle-list",colorAttachmentFormats:void 0,depthStencilAttachmentFormat:void 0,parameters:{},varyings:void 0,bufferMode:void 0,disableWarnings:!1,_sharedRenderPipeline:void 0,_uniformBlockLayouts:[],bindings:void 0,bindGroups:void 0}}});var Ec,E1=P(()=>{ht();Ec=class extends ee{get[Symbol.toStringTag](){return"SharedRenderPipeline"}constructor(e,t){super(e,t,{...ee.defaultProps,handle:void 0,vs:void 0,fs:void 0,varyings:void 0,bufferMode:void 0})}}});var vi,vg=P(()=>{ht();vi=class r extends ee{get[Symbol.toStringTag](){return"ComputePipeline"}hash="";shaderLayout;constructor(e,t){super(e,t,r.defaultProps),this.shaderLayout=t.shaderLayout}static defaultProps={...ee.defaultProps,shader:void 0,entryPoint:void 0,constants:{},shaderLayout:void 0}}});var gs,S1=P(()=>{vg();wg();Dt();Uo();gs=class r{static defaultProps={...Lr.defaultProps};static getDefaultPipelineFactory(e){let t=e.getModuleData("@luma.gl/core");return t.defaultPipelineFactory||=new r(e),t.defaultPipelineFactory}device;_hashCounter=0;_hashes={};_renderPipelineCache={};_computePipelineCache={};_sharedRenderPipelineCache={};get[Symbol.toStringTag](){return"PipelineFactory"}toString(){return`PipelineFactory(${this.device.id})`}constructor(e){this.device=e}createRenderPipeline(e){if(!this.device.props._cachePipelines)return this.device.createRenderPipeline(e);let t={...Lr.defaultProps,...e},n=this._renderPipelineCache,i=this._hashRenderPipeline(t),s=n[i]?.resource;if(s)n[i].useCount++,this.device.props.debugFactories&&k.log(3,`${this}: ${n[i].resource} reused, count=${n[i].useCount}, (id=${e.id})`)();else{let o=this.device.type==="webgl"&&this.device.props._sharePipelines?this.createSharedRenderPipeline(t):void 0;s=this.device.createRenderPipeline({...t,id:t.id?`${t.id}-cached`:_n("unnamed-cached"),_sharedRenderPipeline:o}),s.hash=i,n[i]={resource:s,useCount:1},this.device.props.debugFactories&&k.log(3,`${this}: ${s} created, count=${n[i].useCount}`)()}return s}createComputePipeline(e){if(!this.device.props._cachePipelines)return this.device.createComputePipeline(e);let t={...vi.defaultProps,...e},n=this._computePipelineCache,i=this._hashComputePipeline(t),s=n[i]?.resource;return s?(n[i].useCount++,this.device.props.debugFactories&&k.log(3,`${this}: ${n[i].resource} reused, count=${n[i].useCount}, (id=${e.id})`)()):(s=this.device.createComputePipeline({...t,id:t.id?`${t.id}-cached`:void 0}),s.hash=i,n[i]={resource:s,useCount:1},this.device.props.debugFactories&&k.log(3,`${this}: ${s} created, count=${n[i].useCount}`)()),s}release(e){if(!this.device.props._cachePipelines){e.destroy();return}let t=this._getCache(e),n=e.hash;t[n].useCount--,t[n].useCount===0?(this._destroyPipeline(e),this.device.props.debugFactories&&k.log(3,`${this}: ${e} released and destroyed`)()):t[n].useCount<0?(k.error(`${this}: ${e} released, useCount < 0, resetting`)(),t[n].useCount=0):this.device.props.debugFactories&&k.log(3,`${this}: ${e} released, count=${t[n].useCount}`)()}createSharedRenderPipeline(e){let t=this._hashSharedRenderPipeline(e),n=this._sharedRenderPipelineCache[t];return n||(n={resource:this.device._createSharedRenderPipelineWebGL(e),useCount:0},this._sharedRenderPipelineCache[t]=n),n.useCount++,n.resource}releaseSharedRenderPipeline(e){if(!e.sharedRenderPipeline)return;let t=this._hashSharedRenderPipeline(e.sharedRenderPipeline.props),n=this._sharedRenderPipelineCache[t];n&&(n.useCount--,n.useCount===0&&(n.resource.destroy(),delete this._sharedRenderPipelineCache[t]))}_destroyPipeline(e){let t=this._getCache(e);return this.device.props._destroyPipelines?(delete t[e.hash],e.destroy(),e instanceof Lr&&this.releaseSharedRenderPipeline(e),!0):!1}_getCache(e){let t;if(e instanceof vi&&(t=this._computePipelineCache),e instanceof Lr&&(t=this._renderPipelineCache),!t)throw new Error(`${this}`);if(!t[e.hash])throw new Error(`${this}: ${e} matched incorrect entry`);return t}_hashComputePipeline(e){let{type:t}=this.device,n=this._getHash(e.shader.source),i=this._getHash(JSON.stringify(e.shaderLayout));return`${t}/C/${n}SL${i}`}_hashRenderPipeline(e){let t=e.vs?this._getHash(e.vs.source):0,n=e.fs?this._getHash(e.fs.source):0,i=this._getWebGLVaryingHash(e),s=this._getHash(JSON.stringify(e.shaderLayout)),o=this._getHash(JSON.stringify(e._uniformBlockLayouts)),a=this._getHash(JSON.stringify(e.bufferLayout)),{type:c}=this.device;if(c==="webgl"){let l=this._getHash(JSON.stringify(e.parameters));return`${c}/R/${t}/${n}V${i}T${e.topology}P${l}SL${s}UBL${o}BL${a}`}else{let u=this._getHash(JSON.stringify({vertexEntryPoint:e.vertexEntryPoint,fragmentEntryPoint:e.fragmentEntryPoint})),f=this._getHash(JSON.stringify(e.parameters)),d=this._getWebGPUAttachmentHash(e);return`${c}/R/${t}/${n}V${i}T${e.topology}EP${u}P${f}SL${s}BL${a}A${d}`}}_hashSharedRenderPipeline(e){let t=e.vs?this._getHash(e.vs.source):0,n=e.fs?this._getHash(e.fs.source):0,i=this._getWebGLVaryingHash(e);return`webgl/S/${t}/${n}V${i}`}_getHash(e){return this._hashes[e]===void 0&&(this._hashes[e]=this._hashCounter++),this._hashes[e]}_getWebGLVaryingHash(e){let{varyings:t=[],bufferMode:n=null}=e;return this._getHash(JSON.stringify({varyings:t,bufferMode:n}))}_getWebGPUAttachmentHash(e){let t=e.colorAttachmentFormats??[this.device.preferredColorFormat],n=e.depthStencilAttachmentFormat??(e.parameters?.depthWriteEnabled?this.device.preferredDepthFormat:null);return this._getHash(JSON.stringify({colorAttachmentFormats:t,depthStencilAttachmentFormat:n}))}}});var bs,T1=P(()=>{xg();Dt();bs=class r{static defaultProps={...ps.defaultProps};static getDefaultShaderFactory(e){let t=e.getModuleData("@luma.gl/core");return t.defaultShaderFactory||=new r(e),t.defaultShaderFactory}device;_cache={};get[Symbol.toStringTag](){return"ShaderFactory"}toString(){return`${this[Symbol.toStringTag]}(${this.device.id})`}constructor(e){this.device=e}createShader(e){if(!this.device.props._cacheShaders)return this.device.createShader(e);let t=this._hashShader(e),n=this._cache[t];if(n)n.useCount++,this.device.props.debugFactories&&k.log(3,`${this}: Reusing shader ${n.resource.id} count=${n.useCount}`)();else{let i=this.device.createShader({...e,id:e.id?`${e.id}-cached`:void 0});this._cache[t]=n={resource:i,useCount:1},this.device.props.debugFactories&&k.log(3,`${this}: Created new shader ${i.id}`)()}return n.resource}release(e){if(!this.device.props._cacheShaders){e.destroy();return}let t=this._hashShader(e),n=this._cache[t];if(n)if(n.useCount--,n.useCount===0)this.device.props._destroyShaders&&(delete this._cache[t],n.resource.destroy(),this.device.props.debugFactories&&k.log(3,`${this}: Releasing shader ${e.id}, destroyed`)());else{if(n.useCount<0)throw new Error(`ShaderFactory: Shader ${e.id} released too many times`);this.device.props.debugFactories&&k.log(3,`${this}: Releasing shader ${e.id} count=${n.useCount}`)()}}_hashShader(e){return`${e.stage}:${e.source}`}}});function Mf(r,e,t){let n=r.bindings.find(i=>i.name===e||`${i.name.toLocaleLowerCase()}uniforms`===e.toLocaleLowerCase());return!n&&!t?.ignoreWarnings&&k.warn(`Binding ${e} not set: Not found in shader layout.`)(),n||null}function ys(r,e){if(!e)return{};if(ck(e))return Object.fromEntries(Object.entries(e).map(([i,s])=>[Number(i),{...s}]));let t={};for(let[n,i]of Object.entries(e)){let o=Mf(r,n)?.group??0;t[o]||={},t[o][n]=i}return t}function zo(r){let e={};for(let t of Object.values(r))Object.assign(e,t);return e}function ck(r){let e=Object.keys(r);return e.length>0&&e.every(t=>/^\d+$/.test(t))}var P1=P(()=>{Dt()});var Sc,A1=P(()=>{ht();Sc=class r extends ee{static defaultClearColor=[0,0,0,1];static defaultClearDepth=1;static defaultClearStencil=0;get[Symbol.toStringTag](){return"RenderPass"}constructor(e,t,n=r.defaultProps){t=r.normalizeProps(e,t),super(e,t,n)}static normalizeProps(e,t){return t}static defaultProps={...ee.defaultProps,framebuffer:null,resolveTargets:void 0,parameters:void 0,clearColor:r.defaultClearColor,clearColors:void 0,clearDepth:r.defaultClearDepth,clearStencil:r.defaultClearStencil,depthReadOnly:!1,stencilReadOnly:!1,discard:!1,occlusionQuerySet:void 0,timestampQuerySet:void 0,beginTimestampIndex:void 0,endTimestampIndex:void 0}}});var Tc,L1=P(()=>{ht();Tc=class r extends ee{get[Symbol.toStringTag](){return"CommandEncoder"}_timeProfilingQuerySet=null;_timeProfilingSlotCount=0;_gpuTimeMs;constructor(e,t){super(e,t,r.defaultProps),this._timeProfilingQuerySet=t.timeProfilingQuerySet??null,this._timeProfilingSlotCount=0,this._gpuTimeMs=void 0}async resolveTimeProfilingQuerySet(){if(this._gpuTimeMs=void 0,!this._timeProfilingQuerySet)return;let e=Math.floor(this._timeProfilingSlotCount/2);if(e<=0)return;let t=e*2,n=await this._timeProfilingQuerySet.readResults({firstQuery:0,queryCount:t}),i=0n;for(let s=0;s<t;s+=2)i+=n[s+1]-n[s];this._gpuTimeMs=Number(i)/1e6}getTimeProfilingSlotCount(){return this._timeProfilingSlotCount}getTimeProfilingQuerySet(){return this._timeProfilingQuerySet}_applyTimeProfilingToPassProps(e){let t=e||{};if(!this._supportsTimestampQueries()||!this._timeProfilingQuerySet||t.timestampQuerySet!==void 0||t.beginTimestampIndex!==void 0||t.endTimestampIndex!==void 0)return t;let n=this._timeProfilingSlotCount;return n+1>=this._timeProfilingQuerySet.props.count?t:(this._timeProfilingSlotCount+=2,{...t,timestampQuerySet:this._timeProfilingQuerySet,beginTimestampIndex:n,endTimestampIndex:n+1})}_supportsTimestampQueries(){return this.device.features.has("timestamp-query")}static defaultProps={...ee.defaultProps,measureExecutionTime:void 0,timeProfilingQuerySet:void 0}}});var Pc,M1=P(()=>{ht();Pc=class r extends ee{get[Symbol.toStringTag](){return"CommandBuffer"}constructor(e,t){super(e,t,r.defaultProps)}static defaultProps={...ee.defaultProps}}});var Ac,C1=P(()=>{ht();Ac=class r extends ee{static defaultProps={...ee.defaultProps,shaderLayout:void 0,bufferLayout:[]};get[Symbol.toStringTag](){return"VertexArray"}maxVertexAttributes;indexBuffer=null;attributes;constructor(e,t){super(e,t,r.defaultProps),this.maxVertexAttributes=e.limits.maxVertexAttributes,this.attributes=new Array(this.maxVertexAttributes).fill(null)}getBufferSlot(e){return null}getDrawValidationError(){return null}setConstantWebGL(e,t){this.device.reportError(new Error("constant attributes not supported"),this)()}}});var Lc,R1=P(()=>{ht();Lc=class r extends ee{static defaultProps={...ee.defaultProps,layout:void 0,buffers:{}};get[Symbol.toStringTag](){return"TransformFeedback"}constructor(e,t){super(e,t,r.defaultProps)}}});var Mc,I1=P(()=>{ht();Mc=class r extends ee{get[Symbol.toStringTag](){return"QuerySet"}constructor(e,t){super(e,t,r.defaultProps)}static defaultProps={...ee.defaultProps,type:void 0,count:void 0}}});var Cc,B1=P(()=>{ht();Cc=class r extends ee{static defaultProps={...ee.defaultProps};get[Symbol.toStringTag](){return"Fence"}constructor(e,t={}){super(e,t,r.defaultProps)}}});function Go(r){let e=Cf(r),t=dk[e];if(!t)throw new Error(`Unsupported variable shader type: ${r}`);return t}function k1(r){let e=O1(r),t=fk[e];if(!t)throw new Error(`Unsupported attribute shader type: ${r}`);let[n,i]=t,s=n==="i32"||n==="u32",o=n!=="u32",a=uk[n]*i;return{primitiveType:n,components:i,byteLength:a,integer:s,signed:o}}function lk(r,e){return e===1?r:`vec${e}<${r}>`}function O1(r){return hk[r]||r}function Cf(r){return pk[r]||r}var Eg,ur,uk,fk,dk,hk,pk,Rc=P(()=>{Eg=class{getVariableShaderTypeInfo(e){return Go(e)}getAttributeShaderTypeInfo(e){return k1(e)}makeShaderAttributeType(e,t){return lk(e,t)}resolveAttributeShaderTypeAlias(e){return O1(e)}resolveVariableShaderTypeAlias(e){return Cf(e)}};ur=new Eg,uk={f32:4,f16:2,i32:4,u32:4},fk={f32:["f32",1],"vec2<f32>":["f32",2],"vec3<f32>":["f32",3],"vec4<f32>":["f32",4],f16:["f16",1],"vec2<f16>":["f16",2],"vec3<f16>":["f16",3],"vec4<f16>":["f16",4],i32:["i32",1],"vec2<i32>":["i32",2],"vec3<i32>":["i32",3],"vec4<i32>":["i32",4],u32:["u32",1],"vec2<u32>":["u32",2],"vec3<u32>":["u32",3],"vec4<u32>":["u32",4]},dk={f32:{type:"f32",components:1},f16:{type:"f16",components:1},i32:{type:"i32",components:1},u32:{type:"u32",components:1},"vec2<f32>":{type:"f32",components:2},"vec3<f32>":{type:"f32",components:3},"vec4<f32>":{type:"f32",components:4},"vec2<f16>":{type:"f16",components:2},"vec3<f16>":{type:"f16",components:3},"vec4<f16>":{type:"f16",components:4},"vec2<i32>":{type:"i32",components:2},"vec3<i32>":{type:"i32",components:3},"vec4<i32>":{type:"i32",components:4},"vec2<u32>":{type:"u32",components:2},"vec3<u32>":{type:"u32",components:3},"vec4<u32>":{type:"u32",components:4},"mat2x2<f32>":{type:"f32",components:4},"mat2x3<f32>":{type:"f32",components:6},"mat2x4<f32>":{type:"f32",components:8},"mat3x2<f32>":{type:"f32",components:6},"mat3x3<f32>":{type:"f32",components:9},"mat3x4<f32>":{type:"f32",components:12},"mat4x2<f32>":{type:"f32",components:8},"mat4x3<f32>":{type:"f32",components:12},"mat4x4<f32>":{type:"f32",components:16},"mat2x2<f16>":{type:"f16",components:4},"mat2x3<f16>":{type:"f16",components:6},"mat2x4<f16>":{type:"f16",components:8},"mat3x2<f16>":{type:"f16",components:6},"mat3x3<f16>":{type:"f16",components:9},"mat3x4<f16>":{type:"f16",components:12},"mat4x2<f16>":{type:"f16",components:8},"mat4x3<f16>":{type:"f16",components:12},"mat4x4<f16>":{type:"f16",components:16},"mat2x2<i32>":{type:"i32",components:4},"mat2x3<i32>":{type:"i32",components:6},"mat2x4<i32>":{type:"i32",components:8},"mat3x2<i32>":{type:"i32",components:6},"mat3x3<i32>":{type:"i32",components:9},"mat3x4<i32>":{type:"i32",components:12},"mat4x2<i32>":{type:"i32",components:8},"mat4x3<i32>":{type:"i32",components:12},"mat4x4<i32>":{type:"i32",components:16},"mat2x2<u32>":{type:"u32",components:4},"mat2x3<u32>":{type:"u32",components:6},"mat2x4<u32>":{type:"u32",components:8},"mat3x2<u32>":{type:"u32",components:6},"mat3x3<u32>":{type:"u32",components:9},"mat3x4<u32>":{type:"u32",components:12},"mat4x2<u32>":{type:"u32",components:8},"mat4x3<u32>":{type:"u32",components:12},"mat4x4<u32>":{type:"u32",components:16}},hk={vec2i:"vec2<i32>",vec3i:"vec3<i32>",vec4i:"vec4<i32>",vec2u:"vec2<u32>",vec3u:"vec3<u32>",vec4u:"vec4<u32>",vec2f:"vec2<f32>",vec3f:"vec3<f32>",vec4f:"vec4<f32>",vec2h:"vec2<f16>",vec3h:"vec3<f16>",vec4h:"vec4<f16>"},pk={vec2i:"vec2<i32>",vec3i:"vec3<i32>",vec4i:"vec4<i32>",vec2u:"vec2<u32>",vec3u:"vec3<u32>",vec4u:"vec4<u32>",vec2f:"vec2<f32>",vec3f:"vec3<f32>",vec4f:"vec4<f32>",vec2h:"vec2<f16>",vec3h:"vec3<f16>",vec4h:"vec4<f16>",mat2x2f:"mat2x2<f32>",mat2x3f:"mat2x3<f32>",mat2x4f:"mat2x4<f32>",mat3x2f:"mat3x2<f32>",mat3x3f:"mat3x3<f32>",mat3x4f:"mat3x4<f32>",mat4x2f:"mat4x2<f32>",mat4x3f:"mat4x3<f32>",mat4x4f:"mat4x4<f32>",mat2x2i:"mat2x2<i32>",mat2x3i:"mat2x3<i32>",mat2x4i:"mat2x4<i32>",mat3x2i:"mat3x2<i32>",mat3x3i:"mat3x3<i32>",mat3x4i:"mat3x4<i32>",mat4x2i:"mat4x2<i32>",mat4x3i:"mat4x3<i32>",mat4x4i:"mat4x4<i32>",mat2x2u:"mat2x2<u32>",mat2x3u:"mat2x3<u32>",mat2x4u:"mat2x4<u32>",mat3x2u:"mat3x2<u32>",mat3x3u:"mat3x3<u32>",mat3x4u:"mat3x4<u32>",mat4x2u:"mat4x2<u32>",mat4x3u:"mat4x3<u32>",mat4x4u:"mat4x4<u32>",mat2x2h:"mat2x2<f16>",mat2x3h:"mat2x3<f16>",mat2x4h:"mat2x4<f16>",mat3x2h:"mat3x2<f16>",mat3x3h:"mat3x3<f16>",mat3x4h:"mat3x4<f16>",mat4x2h:"mat4x2<f16>",mat4x3h:"mat4x3<f16>",mat4x4h:"mat4x4<f16>"}});function _s(r,e={}){let t={...r},n=e.layout??"std140",i={},s=0;for(let[o,a]of Object.entries(t))s=Sg(i,o,a,s,n);return s=Ar(s,Ei(t,n)),{layout:n,byteLength:s*4,uniformTypes:t,fields:i}}function Ic(r,e){let t=Cf(r),n=Go(t),i=/^mat(\d)x(\d)<.+>$/.exec(t);if(i){let o=Number(i[1]),a=Number(i[2]),c=D1(a,t,n.type,e),l=gk(c.size,c.alignment,e);return{alignment:c.alignment,size:o*l,components:o*a,columns:o,rows:a,columnStride:l,shaderType:t,type:n.type}}let s=/^vec(\d)<.+>$/.exec(t);return s?D1(Number(s[1]),t,n.type,e):{alignment:1,size:1,components:1,columns:1,rows:1,columnStride:1,shaderType:t,type:n.type}}function Tg(r){return!!r&&typeof r=="object"&&!Array.isArray(r)}function Sg(r,e,t,n,i){if(typeof t=="string"){let s=Ic(t,i),o=Ar(n,s.alignment);return r[e]={offset:o,...s},o+s.size}if(Array.isArray(t)){if(Array.isArray(t[0]))throw new Error(`Nested arrays are not supported for ${e}`);let s=t[0],o=t[1],a=F1(s,i),c=Ar(n,Ei(t,i));for(let l=0;l<o;l++)Sg(r,`${e}[${l}]`,s,c+l*a,i);return c+a*o}if(Tg(t)){let s=Ei(t,i),o=Ar(n,s);for(let[a,c]of Object.entries(t))o=Sg(r,`${e}.${a}`,c,o,i);return Ar(o,s)}throw new Error(`Unsupported CompositeShaderType for ${e}`)}function N1(r,e){if(typeof r=="string")return Ic(r,e).size;if(Array.isArray(r)){let n=r[0],i=r[1];if(Array.isArray(n))throw new Error("Nested arrays are not supported");return F1(n,e)*i}let t=0;for(let n of Object.values(r)){let i=n;t=Ar(t,Ei(i,e)),t+=N1(i,e)}return Ar(t,Ei(r,e))}function Ei(r,e){if(typeof r=="string")return Ic(r,e).alignment;if(Array.isArray(r)){let n=r[0],i=Ei(n,e);return U1(e)?Math.max(i,4):i}let t=1;for(let n of Object.values(r)){let i=Ei(n,e);t=Math.max(t,i)}return bk(e)?Math.max(t,4):t}function D1(r,e,t,n){return{alignment:r===2?2:4,size:r===3?3:r,components:r,columns:1,rows:r,columnStride:r===3?3:r,shaderType:e,type:t}}function F1(r,e){let t=N1(r,e),n=Ei(r,e);return mk(t,n,e)}function mk(r,e,t){return Ar(r,U1(t)?4:e)}function gk(r,e,t){return t==="std140"?4:Ar(r,e)}function U1(r){return r==="std140"||r==="wgsl-uniform"}function bk(r){return r==="std140"||r==="wgsl-uniform"}var Rf=P(()=>{wf();Rc()});function Pg(r){return(!If||If.byteLength<r)&&(If=new ArrayBuffer(r)),If}function Ag(r,e){let t=Pg(r.BYTES_PER_ELEMENT*e);return new r(t,0,e)}var If,Lg=P(()=>{});function yk(r){return ArrayBuffer.isView(r)&&!(r instanceof DataView)}function $o(r){return Array.isArray(r)?r.length===0||typeof r[0]=="number":yk(r)}var Mg=P(()=>{});function _k(r){return!!r&&typeof r=="object"&&!Array.isArray(r)&&!ArrayBuffer.isView(r)}function xk(r,e,t){return Array.prototype.slice.call(r,e,t)}var Bf,z1=P(()=>{Lg();Mg();Dt();Rf();Bf=class{layout;constructor(e){this.layout=e}has(e){return!!this.layout.fields[e]}get(e){let t=this.layout.fields[e];return t?{offset:t.offset,size:t.size}:void 0}getFlatUniformValues(e){let t={};for(let[n,i]of Object.entries(e)){let s=this.layout.uniformTypes[n];s?this._flattenCompositeValue(t,n,s,i):this.layout.fields[n]&&(t[n]=i)}return t}getData(e){let t=Pg(this.layout.byteLength);new Uint8Array(t,0,this.layout.byteLength).fill(0);let n={i32:new Int32Array(t),u32:new Uint32Array(t),f32:new Float32Array(t),f16:new Uint16Array(t)},i=this.getFlatUniformValues(e);for(let[s,o]of Object.entries(i))this._writeLeafValue(n,s,o);return new Uint8Array(t,0,this.layout.byteLength)}_flattenCompositeValue(e,t,n,i){if(i!==void 0){if(typeof n=="string"||this.layout.fields[t]){e[t]=i;return}if(Array.isArray(n)){let s=n[0],o=n[1];if(Array.isArray(s))throw new Error(`Nested arrays are not supported for ${t}`);if(typeof s=="string"&&$o(i)){this._flattenPackedArray(e,t,s,o,i);return}if(!Array.isArray(i)){k.warn(`Unsupported uniform array value for ${t}:`,i)();return}for(let a=0;a<Math.min(i.length,o);a++){let c=i[a];c!==void 0&&this._flattenCompositeValue(e,`${t}[${a}]`,s,c)}return}if(Tg(n)&&_k(i)){for(let[s,o]of Object.entries(i)){if(o===void 0)continue;let a=`${t}.${s}`;this._flattenCompositeValue(e,a,n[s],o)}return}k.warn(`Unsupported uniform value for ${t}:`,i)()}}_flattenPackedArray(e,t,n,i,s){let o=s,c=Ic(n,this.layout.layout).components;for(let l=0;l<i;l++){let u=l*c;if(u>=o.length)break;c===1?e[`${t}[${l}]`]=Number(o[u]):e[`${t}[${l}]`]=xk(s,u,u+c)}}_writeLeafValue(e,t,n){let i=this.layout.fields[t];if(!i){k.warn(`Uniform ${t} not found in layout`)();return}let{type:s,components:o,columns:a,rows:c,offset:l,columnStride:u}=i,f=e[s];if(o===1){f[l]=Number(n);return}let d=n;if(a===1){for(let p=0;p<o;p++)f[l+p]=Number(d[p]??0);return}let h=0;for(let p=0;p<a;p++){let m=l+p*u;for(let b=0;b<c;b++)f[m+b]=Number(d[h++]??0)}}}});function G1(r,e,t=16){if(r===e)return!0;let n=r,i=e;if(!$o(n)||!$o(i)||n.length!==i.length)return!1;let s=Math.min(t,wk);if(n.length>s)return!1;for(let o=0;o<n.length;++o)if(i[o]!==n[o])return!1;return!0}function $1(r){return $o(r)?r.slice():r}var wk,V1=P(()=>{Mg();wk=128});var kf,W1=P(()=>{V1();kf=class{name;uniforms={};modifiedUniforms={};modified=!0;bindingLayout={};needsRedraw="initialized";constructor(e){if(this.name=e?.name||"unnamed",e?.name&&e?.shaderLayout){let t=e?.shaderLayout.bindings?.find(i=>i.type==="uniform"&&i.name===e?.name);if(!t)throw new Error(e?.name);let n=t;for(let i of n.uniforms||[])this.bindingLayout[i.name]=i}}setUniforms(e){for(let[t,n]of Object.entries(e))this._setUniform(t,n)&&!this.needsRedraw&&this.setNeedsRedraw(`${this.name}.${t}=${n}`)}setNeedsRedraw(e){this.needsRedraw=this.needsRedraw||e}getAllUniforms(){return this.modifiedUniforms={},this.needsRedraw=!1,this.uniforms||{}}_setUniform(e,t){return G1(this.uniforms[e],t)?!1:(this.uniforms[e]=$1(t),this.modifiedUniforms[e]=!0,this.modified=!0,!0)}}});function Ek(r){return r.type==="webgpu"?"wgsl-uniform":"std140"}var vk,xs,j1=P(()=>{_f();Dt();Rf();W1();z1();vk=1024,xs=class{device;uniformBlocks=new Map;shaderBlockLayouts=new Map;shaderBlockWriters=new Map;uniformBuffers=new Map;constructor(e,t){this.device=e;for(let[n,i]of Object.entries(t)){let s=n,o=_s(i.uniformTypes??{},{layout:i.layout??Ek(e)}),a=new Bf(o);this.shaderBlockLayouts.set(s,o),this.shaderBlockWriters.set(s,a);let c=new kf({name:n});c.setUniforms(a.getFlatUniformValues(i.defaultUniforms||{})),this.uniformBlocks.set(s,c)}}destroy(){for(let e of this.uniformBuffers.values())e.destroy()}setUniforms(e,t){for(let[n,i]of Object.entries(e)){let s=n,a=this.shaderBlockWriters.get(s)?.getFlatUniformValues(i||{});this.uniformBlocks.get(s)?.setUniforms(a||{})}this.updateUniformBuffers(t)}getUniformBufferByteLength(e){let t=this.shaderBlockLayouts.get(e)?.byteLength||0;return Math.max(t,vk)}getUniformBufferData(e){let t=this.uniformBlocks.get(e)?.getAllUniforms()||{};return this.shaderBlockWriters.get(e)?.getData(t)||new Uint8Array(0)}createUniformBuffer(e,t){t&&this.setUniforms(t);let n=this.getUniformBufferByteLength(e),i=this.device.createBuffer({usage:re.UNIFORM|re.COPY_DST,byteLength:n}),s=this.getUniformBufferData(e);return i.write(s),i}getManagedUniformBuffer(e){if(!this.uniformBuffers.get(e)){let t=this.getUniformBufferByteLength(e),n=this.device.createBuffer({usage:re.UNIFORM|re.COPY_DST,byteLength:t});this.uniformBuffers.set(e,n)}return this.uniformBuffers.get(e)}updateUniformBuffers(e){let t=!1;for(let n of this.uniformBlocks.keys()){let i=this.updateUniformBuffer(n,e);t||=i}return t&&k.log(3,`UniformStore.updateUniformBuffers(): ${t}`)(),t}updateUniformBuffer(e,t){let n=this.uniformBlocks.get(e),i=this.uniformBuffers.get(e),s=!1;if(i&&n?.needsRedraw){s||=n.needsRedraw;let o=this.getUniformBufferData(e);if(i=this.uniformBuffers.get(e),i&&(t?this.device.writeBufferViaCommandEncoder(t,i,o):i.write(o)),k.level>=4){let a=this.uniformBlocks.get(e)?.getAllUniforms();k.log(4,`Writing to uniform buffer ${String(e)}`,o,a)()}}return s}}});function Vo(r){return r.attributes?r.attributes.map(e=>e.attribute):[r.name]}function Cg(r){return Object.fromEntries(r.attributes.map(e=>[e.name,e.location]))}function Of(r){let e=1/0;for(let t of r)t!==void 0&&(e=Math.min(e,t));return e}function Rg(r,e,t){Sk(e);let n=new Map;for(let i of e){let s=Tk(i);if(i.attributes)for(let o of i.attributes)n.has(o.attribute)||n.set(o.attribute,{bufferName:i.name,stepMode:i.stepMode,vertexFormat:o.format,byteOffset:o.byteOffset,byteStride:s});else i.format&&!n.has(i.name)&&n.set(i.name,{bufferName:i.name,stepMode:i.stepMode,vertexFormat:i.format,byteOffset:0,byteStride:s})}return r.attributes.map(i=>{let s=n.get(i.name);!s&&t?.warnOnMissingBufferLayout&&k.warn(`layout for attribute "${i.name}" not present in buffer layout`)();let o=ur.getAttributeShaderTypeInfo(i.type),a=s?.vertexFormat||Oe.getCompatibleVertexFormat(o);return{attributeName:i.name,bufferName:s?.bufferName||i.name,location:i.location,vertexFormat:a,byteOffset:s?.byteOffset??0,byteStride:s?.byteStride??Oe.getVertexFormatInfo(a).byteLength,stepMode:s?.stepMode||i.stepMode||(i.name.startsWith("instance")?"instance":"vertex")}}).sort((i,s)=>i.location-s.location)}function Sk(r){for(let e of r)(e.attributes&&e.format||!e.attributes&&!e.format)&&k.warn(`BufferLayout ${e.name} must have either 'attributes' or 'format' field`)()}function Tk(r){if(typeof r.byteStride=="number")return r.byteStride;if(r.attributes){let e=0;for(let t of r.attributes)e+=Oe.getVertexFormatInfo(t.format).byteLength;return e}return Oe.getVertexFormatInfo(r.format).byteLength}var Ig=P(()=>{Dt();Rc();bc()});function Bc(r,e){let t={},n=Rg(r,e,{warnOnMissingBufferLayout:!0});for(let i of n){let s=Pk(r,i);t[i.attributeName]=s}return t}function Pk(r,e){let t=Ak(r,e.attributeName),n=ur.getAttributeShaderTypeInfo(t.type),i=e.vertexFormat,s=Oe.getVertexFormatInfo(i);return{attributeName:e.attributeName,bufferName:e.bufferName,location:t.location,shaderType:t.type,primitiveType:n.primitiveType,shaderComponents:n.components,vertexFormat:i,bufferDataType:s.type,bufferComponents:s.components,normalized:s.normalized,integer:n.integer,stepMode:e.stepMode,byteOffset:e.byteOffset,byteStride:e.byteStride}}function Ak(r,e){let t=r.attributes.find(n=>n.name===e);return t||k.warn(`shader layout attribute "${e}" not present in shader`)(),t||null}var H1=P(()=>{Dt();Rc();bc();Ig()});var J=P(()=>{Gv();$v();l1();m1();g1();_f();yg();b1();y1();xg();bg();v1();wg();E1();S1();T1();A1();vg();L1();M1();C1();R1();I1();B1();Rf();j1();vf();wf();Rc();bc();Af();Dt();P1();mg();Lg();H1();Ig()});function kc(r=[],e){let t=[],n={},i={},s={},o={};for(let a of r)Y1({modules:t,defines:n,injections:i,vertexInputs:s,varyings:o},a),Y1({modules:t,defines:n,injections:i,vertexInputs:s,varyings:o},a[e]);for(let a of Object.keys(o))if(s[a])throw new Error(`ShaderPlugin name "${a}" cannot be both a vertex input and a varying`);return{modules:t,defines:n,injections:i,vertexInputs:s,varyings:o}}function Oc(r=[],e=[]){let t=[...r],n=new Set(t.map(i=>i.name));for(let i of e)n.has(i.name)||(t.push(i),n.add(i.name));return t}function Y1(r,e){if(e){e.modules?.length&&r.modules.push(...e.modules),e.defines&&Object.assign(r.defines,e.defines);for(let[t,n]of Object.entries(e.vertexInputs||{})){q1(t,"vertex input");let i=r.vertexInputs[t];if(i&&i!==n)throw new Error(`ShaderPlugin vertex input "${t}" has conflicting types "${i}" and "${n}"`);r.vertexInputs[t]=n}for(let[t,n]of Object.entries(e.varyings||{})){q1(t,"varying");let i=Mk(t,n),s=r.varyings[t];if(s&&(s.type!==i.type||s.interpolation!==i.interpolation))throw new Error(`ShaderPlugin varying "${t}" has conflicting declarations "${s.type}/${s.interpolation}" and "${i.type}/${i.interpolation}"`);r.varyings[t]=i}for(let t of e.injections||[])Ck(t.target),r.injections[t.target]||(r.injections[t.target]=[]),r.injections[t.target].push({injection:t.injection,order:t.order??0})}}function q1(r,e){if(!/^[A-Za-z_][A-Za-z0-9_]*$/.test(r)||r.startsWith("_luma_"))throw new Error(`ShaderPlugin ${e} "${r}" must be a valid non-reserved identifier`)}function Mk(r,e){let{primitiveType:t}=ur.getAttributeShaderTypeInfo(e.type),n=t==="i32"||t==="u32",i=e.interpolation||(n?"flat":"smooth");if(n&&i==="smooth")throw new Error(`ShaderPlugin integer varying "${r}" must use flat interpolation`);return{type:e.type,interpolation:i}}function Ck(r){if(!Lk.test(r))throw new Error(`ShaderPlugin injection target "${r}" must be a named shader anchor or hook`)}var Lk,X1=P(()=>{J();Lk=/^(vs|fs):(?:#(?:decl|main-start|main-end)|[A-Za-z_][\w-]*)$/});function Dc(r){return`${r.name}Uniforms`}function K1(r,e){let t=e==="wgsl"?r.source:e==="vertex"?r.vs:r.fs;if(!t)return null;let n=Dc(r);return Bk(t,e==="wgsl"?"wgsl":"glsl",n)}function Q1(r,e){let t=Object.keys(r.uniformTypes||{});if(!t.length)return null;let n=K1(r,e);return n?{moduleName:r.name,uniformBlockName:Dc(r),stage:e,expectedUniformNames:t,actualUniformNames:n,matches:Dk(t,n)}:null}function Bg(r,e,t={}){let n=Q1(r,e);if(!n||n.matches)return n;let i=Nk(n);return t.log?.error?.(i,n)(),t.throwOnError!==!1&&Hn(!1,i),n}function Nc(r){let e=[],t=Fk(r);for(let n of t.matchAll(Ik)){let i=n[1]?.trim()||null;e.push({blockName:n[2],body:n[3],instanceName:n[4]||null,layoutQualifier:i,hasLayoutQualifier:!!i,isStd140:!!(i&&/\blayout\s*\([^)]*\bstd140\b[^)]*\)/.exec(i))})}return e}function kg(r,e,t,n){let i=Nc(r).filter(o=>!o.isStd140),s=new Set;for(let o of i){if(s.has(o.blockName))continue;s.add(o.blockName);let a=n?.label?`${n.label} `:"",c=o.hasLayoutQualifier?`declares ${Uk(o.layoutQualifier)} instead of layout(std140)`:"does not declare layout(std140)",l=`${a}${e} shader uniform block ${o.blockName} ${c}. luma.gl host-side shader block packing assumes explicit layout(std140) for GLSL uniform blocks. Add \`layout(std140)\` to the block declaration.`;t?.warn?.(l,o)()}return i}function Bk(r,e,t){let n=e==="wgsl"?kk(r,t):Ok(r,t);if(!n)return null;let i=[];for(let s of n.split(`
`)){let o=s.replace(/\/\/.*$/,"").trim();if(!o||o.startsWith("#"))continue;let a=e==="wgsl"?o.match(/^([A-Za-z0-9_]+)\s*:/):o.match(Rk);a&&i.push(a[1])}return i}function kk(r,e){let t=new RegExp(`\\bstruct\\s+${e}\\b`,"m").exec(r);if(!t)return null;let n=r.indexOf("{",t.index);if(n<0)return null;let i=0;for(let s=n;s<r.length;s++){let o=r[s];if(o==="{"){i++;continue}if(o==="}"&&(i--,i===0))return r.slice(n+1,s)}return null}function Ok(r,e){return Nc(r).find(n=>n.blockName===e)?.body||null}function Dk(r,e){if(r.length!==e.length)return!1;for(let t=0;t<r.length;t++)if(r[t]!==e[t])return!1;return!0}function Nk(r){let{expectedUniformNames:e,actualUniformNames:t}=r,n=e.filter(a=>!t.includes(a)),i=t.filter(a=>!e.includes(a)),s=[`Expected ${e.length} fields, found ${t.length}.`],o=zk(e,t);return o&&s.push(o),n.length&&s.push(`Missing from shader block (${n.length}): ${Z1(n)}.`),i.length&&s.push(`Unexpected in shader block (${i.length}): ${Z1(i)}.`),e.length<=12&&t.length<=12&&(n.length||i.length)&&(s.push(`Expected: ${e.join(", ")}.`),s.push(`Actual: ${t.join(", ")}.`)),`${r.moduleName}: ${r.stage} shader uniform block ${r.uniformBlockName} does not match module.uniformTypes. ${s.join(" ")}`}function Fk(r){return r.replace(/\/\*[\s\S]*?\*\//g,"").replace(/\/\/.*$/gm,"")}function Uk(r){return r.replace(/\s+/g," ").trim()}function zk(r,e){let t=Math.min(r.length,e.length);for(let n=0;n<t;n++)if(r[n]!==e[n])return`First mismatch at field ${n+1}: expected ${r[n]}, found ${e[n]}.`;return r.length>e.length?`Shader block ends after field ${e.length}; expected next field ${r[e.length]}.`:e.length>r.length?`Shader block has extra field ${e.length}: ${e[r.length]}.`:null}function Z1(r,e=8){if(r.length<=e)return r.join(", ");let t=r.length-e;return`${r.slice(0,e).join(", ")}, ... (${t} more)`}var Rk,Ik,Og=P(()=>{hf();Rk=/^(?:uniform\s+)?(?:(?:lowp|mediump|highp)\s+)?[A-Za-z0-9_]+(?:<[^>]+>)?\s+([A-Za-z0-9_]+)(?:\s*\[[^\]]+\])?\s*;/,Ik=/((?:layout\s*\([^)]*\)\s*)*)uniform\s+([A-Za-z_][A-Za-z0-9_]*)\s*\{([\s\S]*?)\}\s*([A-Za-z_][A-Za-z0-9_]*)?\s*;/g});function J1(r){switch(r?.gpu.toLowerCase()){case"apple":return`#define APPLE_GPU
// Apple optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// Intel GPU doesn't have full 32 bits precision in same cases, causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`;case"nvidia":return`#define NVIDIA_GPU
// Nvidia optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
`;case"intel":return`#define INTEL_GPU
// Intel optimizes away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
// Intel's built-in 'tan' function doesn't have acceptable precision
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// Intel GPU doesn't have full 32 bits precision in same cases, causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`;case"amd":return`#define AMD_GPU
`;default:return`#define DEFAULT_GPU
// Prevent driver from optimizing away the calculation necessary for emulated fp64
#define LUMA_FP64_CODE_ELIMINATION_WORKAROUND 1
// Headless Chrome's software shader 'tan' function doesn't have acceptable precision
#define LUMA_FP32_TAN_PRECISION_WORKAROUND 1
// If the GPU doesn't have full 32 bits precision, will causes overflow
#define LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND 1
`}}var eE=P(()=>{});function rE(r,e){if(Number(r.match(/^#version[ \t]+(\d+)/m)?.[1]||100)!==300)throw new Error("luma.gl v9 only supports GLSL 3.00 shader sources");switch(e){case"vertex":return r=tE(r,Gk),r;case"fragment":return r=tE(r,$k),r;default:throw new Error(e)}}function tE(r,e){for(let[t,n]of e)r=r.replace(t,n);return r}function Dg(r){return new RegExp(`\\b${r}[ \\t]+(\\w+[ \\t]+\\w+(\\[\\w+\\])?;)`,"g")}var nE,Gk,$k,iE=P(()=>{nE=[[/^(#version[ \t]+(100|300[ \t]+es))?[ \t]*\n/,`#version 300 es
`],[/\btexture(2D|2DProj|Cube)Lod(EXT)?\(/g,"textureLod("],[/\btexture(2D|2DProj|Cube)(EXT)?\(/g,"texture("]],Gk=[...nE,[Dg("attribute"),"in $1"],[Dg("varying"),"out $1"]],$k=[...nE,[Dg("varying"),"in $1"]]});function Df(r,e,t="glsl"){let n="";for(let i in r){let s=r[i];if(n+=`${t==="wgsl"?"fn":"void"} ${s.signature} {
`,s.header&&(n+=`  ${s.header}`),e[i]){let a=e[i];a.sort((c,l)=>c.order-l.order);for(let c of a)n+=`  ${c.injection}
`}s.footer&&(n+=`  ${s.footer}`),n+=`}
`}return n}function Ng(r){let e={vertex:{},fragment:{}};for(let t of r){let n,i;typeof t!="string"?(n=t,i=n.hook):(n={},i=t),i=i.trim();let s=i.indexOf(":"),o=i.slice(0,s),a=i.slice(s+1),c=i.replace(/\(.+/,""),l=Object.assign(n,{signature:a});switch(o){case"vs":e.vertex[c]=l;break;case"fs":e.fragment[c]=l;break;default:throw new Error(o)}}return e}var sE=P(()=>{});function oE(r,e){return{name:Vk(r,e),language:"glsl",version:Wk(r)}}function Vk(r,e="unnamed"){let n=/#define[^\S\r\n]*SHADER_NAME[^\S\r\n]*([A-Za-z0-9_-]+)\s*/.exec(r);return n?n[1]:e}function Wk(r){let e=100,t=r.match(/[^\s]+/g);if(t&&t.length>=2&&t[0]==="#version"){let n=parseInt(t[1],10);Number.isFinite(n)&&(e=n)}if(e!==100&&e!==300)throw new Error(`Invalid GLSL version ${e}`);return e}var aE=P(()=>{});function Nf(r,e=[]){let t=Do(r),n=new Map;for(let s of e)n.set(lE(s.name,s.group,s.location),s.moduleName);let i=[];for(let s of cE){s.lastIndex=0;let o;for(o=s.exec(t);o;){let a=s===cE[0],c=Number(o[a?1:2]),l=Number(o[a?2:1]),u=o[3]?.trim(),f=o[4],d=o[5].trim(),h=n.get(lE(f,l,c));i.push(jk({name:f,group:l,binding:c,owner:h?"module":"application",moduleName:h,accessDeclaration:u,resourceType:d})),o=s.exec(t)}}return i.sort((s,o)=>s.group!==o.group?s.group-o.group:s.binding!==o.binding?s.binding-o.binding:s.name.localeCompare(o.name))}function jk(r){let e={name:r.name,group:r.group,binding:r.binding,owner:r.owner,kind:"unknown",moduleName:r.moduleName,resourceType:r.resourceType};if(r.accessDeclaration){let t=r.accessDeclaration.split(",").map(n=>n.trim());if(t[0]==="uniform")return{...e,kind:"uniform",access:"uniform"};if(t[0]==="storage"){let n=t[1]||"read_write";return{...e,kind:n==="read"?"read-only-storage":"storage",access:n}}}return r.resourceType==="sampler"||r.resourceType==="sampler_comparison"?{...e,kind:"sampler",samplerKind:r.resourceType==="sampler_comparison"?"comparison":"filtering"}:r.resourceType.startsWith("texture_storage_")?{...e,kind:"storage-texture",access:Yk(r.resourceType),viewDimension:uE(r.resourceType)}:r.resourceType.startsWith("texture_")?{...e,kind:"texture",viewDimension:uE(r.resourceType),sampleType:Hk(r.resourceType),multisampled:r.resourceType.startsWith("texture_multisampled_")}:e}function lE(r,e,t){return`${e}:${t}:${r}`}function uE(r){if(r.includes("cube_array"))return"cube-array";if(r.includes("2d_array"))return"2d-array";if(r.includes("cube"))return"cube";if(r.includes("3d"))return"3d";if(r.includes("2d"))return"2d";if(r.includes("1d"))return"1d"}function Hk(r){if(r.startsWith("texture_depth_"))return"depth";if(r.includes("<i32>"))return"sint";if(r.includes("<u32>"))return"uint";if(r.includes("<f32>"))return"float"}function Yk(r){return/,\s*([A-Za-z_][A-Za-z0-9_]*)\s*>$/.exec(r)?.[1]}var cE,Fg=P(()=>{lf();cE=[new RegExp(`@binding\\(\\s*(\\d+)\\s*\\)\\s*@group\\(\\s*(\\d+)\\s*\\)\\s*${lr}\\s*:\\s*([^;]+);`,"g"),new RegExp(`@group\\(\\s*(\\d+)\\s*\\)\\s*@binding\\(\\s*(\\d+)\\s*\\)\\s*${lr}\\s*:\\s*([^;]+);`,"g")]});function vs(r,e){let t=r.split(`
`),n=[],i=[],s=!0;for(let o of t){let a=o.match(qk),c=o.match(Jk)||o.match(Xk),l=o.match(Zk),u=o.match(Kk),f=o.match(eO)||o.match(Qk);if(a){let d=tO(a[1],e?.defines||{}),h=s&&d;i.push({parentActive:s,branchTaken:d,active:h}),s=h}else if(c||l){let d=(c||l)?.[1],h=!!e?.defines?.[d],p=c?h:!h,m=s&&p;i.push({parentActive:s,branchTaken:p,active:m}),s=m}else if(u){let d=i[i.length-1];if(!d)throw new Error("Encountered #else without matching #if, #ifdef or #ifndef");d.active=d.parentActive&&!d.branchTaken,d.branchTaken=!0,s=d.active}else f?(i.pop(),s=i.length?i[i.length-1].active:!0):s&&n.push(o)}if(i.length>0)throw new Error("Unterminated conditional block in shader source");return n.join(`
`)}function tO(r,e){let t=r.trim();if(/^[+-]?\d+(?:\.\d+)?$/.test(t))return Number(t)!==0;if(t==="true")return!0;if(t==="false")return!1;let n=t.match(new RegExp(`^!\\s*${ws}$`));if(n)return!e[n[1]];let i=t.match(new RegExp(`^${ws}$`));if(i)return!!e[i[1]];let s=t.match(new RegExp(`^defined\\s*\\(\\s*${ws}\\s*\\)$`));if(s)return e[s[1]]!==void 0;let o=t.match(new RegExp(`^!\\s*defined\\s*\\(\\s*${ws}\\s*\\)$`));if(o)return e[o[1]]===void 0;throw new Error(`Unsupported #if expression "${r}"`)}var ws,qk,Xk,Zk,Kk,Qk,Jk,eO,Ug=P(()=>{ws="([a-zA-Z_][a-zA-Z0-9_]*)",qk=/^\s*\#\s*if\s+(.+?)\s*(?:\/\/.*)?$/,Xk=new RegExp(`^\\s*\\#\\s*ifdef\\s*${ws}\\s*$`),Zk=new RegExp(`^\\s*\\#\\s*ifndef\\s*${ws}\\s*(?:\\/\\/.*)?$`),Kk=/^\s*\#\s*else\s*(?:\/\/.*)?$/,Qk=/^\s*\#\s*endif\s*$/,Jk=new RegExp(`^\\s*\\#\\s*ifdef\\s*${ws}\\s*(?:\\/\\/.*)?$`),eO=/^\s*\#\s*endif\s*(?:\/\/.*)?$/});function hE(r,e){let t=[];for(let[n,i]of Object.entries(e))rO(r,n),t.push(`in ${Ff(i)} ${n};`);return t.join(`
`)}function pE(r,e,t){let n=Object.entries(t);if(n.length===0)return{source:r,declarations:"",initialization:""};let i=nO(r,e),s=r.slice(i.openParenthesis+1,i.closeParenthesis),o=iO(r,s),a=new Set(o.locations),c=[],l=[],u=[];for(let[m,b]of n){if(o.names.has(m)||aO(r,m))throw new Error(`ShaderPlugin vertex input "${m}" conflicts with an existing WGSL shader input or variable`);let w=cO(a);a.add(w);let _=`_luma_${m}`;c.push(`@location(${w}) ${_}: ${b}`),l.push(`var<private> ${m}: ${b};`),u.push(`${m} = ${_};`)}let f=s.trim()?`,
  `:`
  `,d=s.trim()?"":`
`,h=`${s}${f}${c.join(`,
  `)}${d}`;return{source:r.slice(0,i.openParenthesis+1)+h+r.slice(i.closeParenthesis),declarations:l.join(`
`),initialization:u.join(`
`)}}function Ff(r){let{primitiveType:e,components:t}=ur.getAttributeShaderTypeInfo(r),n=e==="i32"?"int":e==="u32"?"uint":"float";return t===1?n:`${n==="int"?"i":n==="uint"?"u":""}vec${t}`}function rO(r,e){let t=Uf(e);if(new RegExp(`\\b(?:in|attribute)\\s+(?:(?:lowp|mediump|highp)\\s+)?[A-Za-z_][A-Za-z0-9_]*\\s+${t}\\s*(?:\\[|;)`).test(r))throw new Error(`ShaderPlugin vertex input "${e}" conflicts with an existing GLSL input`)}function nO(r,e){let n=new RegExp(`\\bfn\\s+${Uf(e)}\\s*\\(`,"g").exec(r);if(!n)throw new Error(`ShaderPlugin vertex inputs require WGSL vertex entry point "${e}"`);let i=r.indexOf("(",n.index),s=mE(r,i,"(",")");if(s<0)throw new Error(`Unable to parse WGSL vertex entry point "${e}" parameters`);return{openParenthesis:i,closeParenthesis:s}}function iO(r,e){let t=fE(e),n=new Set(dE(e)),i=sO(e);for(let s of i){let o=oO(r,s);if(o!==null){t.push(...fE(o));for(let a of dE(o))n.add(a)}}return{locations:t,names:n}}function fE(r){let e=[],t=/@location\s*\(\s*(\d+)\s*\)/g,n=t.exec(r);for(;n;)e.push(Number(n[1])),n=t.exec(r);return e}function dE(r){let e=[],t=/(?:^|,)\s*(?:@[A-Za-z_][\w]*(?:\([^)]*\))?\s*)*([A-Za-z_][\w]*)\s*:/gm,n=t.exec(r);for(;n;)e.push(n[1]),n=t.exec(r);return e}function sO(r){let e=[],t=/:\s*([A-Za-z_][\w]*)\b/g,n=t.exec(r);for(;n;)e.push(n[1]),n=t.exec(r);return e}function oO(r,e){let n=new RegExp(`\\bstruct\\s+${Uf(e)}\\s*\\{`,"g").exec(r);if(!n)return null;let i=r.indexOf("{",n.index),s=mE(r,i,"{","}");return s<0?null:r.slice(i+1,s)}function aO(r,e){let t=Uf(e),n=new RegExp(`\\b(?:var(?:<[^>]+>)?|let|const)\\s+${t}\\b`,"g"),i=n.exec(r);for(;i;){if(lO(r,i.index)===0)return!0;i=n.exec(r)}return!1}function cO(r){let e=0;for(;r.has(e);)e++;return e}function mE(r,e,t,n){let i=0,s=0,o=!1;for(let a=e;a<r.length;a++){let c=r[a],l=r[a+1];if(o){c===`
`&&(o=!1);continue}if(s>0){c==="/"&&l==="*"?(s++,a++):c==="*"&&l==="/"&&(s--,a++);continue}if(c==="/"&&l==="/"){o=!0,a++;continue}if(c==="/"&&l==="*"){s=1,a++;continue}if(c===t&&i++,c===n&&--i===0)return a}return-1}function lO(r,e){let t=0,n=0,i=!1;for(let s=0;s<e;s++){let o=r[s],a=r[s+1];if(i){o===`
`&&(i=!1);continue}if(n>0){o==="/"&&a==="*"?(n++,s++):o==="*"&&a==="/"&&(n--,s++);continue}o==="/"&&a==="/"?(i=!0,s++):o==="/"&&a==="*"?(n=1,s++):o==="{"?t++:o==="}"&&t--}return t}function Uf(r){return r.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}var zg=P(()=>{J()});function bE(r,e,t){let n=[],i=[];for(let[s,o]of Object.entries(t)){vO(r,s);let a=o.interpolation==="flat"?"flat ":"",c=e==="vertex"?"out":"in";n.push(`${a}${c} ${Ff(o.type)} ${s};`),e==="vertex"&&i.push(`${s} = ${xO(o.type)};`)}return{declarations:n.join(`
`),initialization:i.join(`
`)}}function yE(r,e,t,n){let i=Object.entries(n);if(i.length===0)return{source:r,declarations:"",vertexInitialization:"",fragmentInitialization:""};let s=r,o=zf(s,e,"vertex"),a=uO(s,o),c=zf(s,t,"fragment"),l=fO(s,c),u=Gg(s,a),f=Gg(s,l.type),d=new Set([...Gf(o.parameters),...Gf(u.body),...Gf(c.parameters),...Gf(f.body)]),h=new Set([...gE(u.body),...gE(f.body)]),p=[],m=[],b=[],w=[];for(let[T,A]of i){if(d.has(T)||yO(s,T))throw new Error(`ShaderPlugin varying "${T}" conflicts with existing WGSL stage I/O or a module variable`);let I=_O(h);h.add(I);let D=A.interpolation==="flat"?" @interpolate(flat)":"";p.push(`  @location(${I})${D} ${T}: ${A.type},`),m.push(`var<private> ${T}: ${A.type};`),b.push(`${T} = ${wO(A.type)};`),w.push(`${T} = ${l.name}.${T};`)}dO(s,a,o.openBrace,o.closeBrace),s=hO(s,a,o,i.map(([T])=>T)),o=zf(s,e,"vertex"),s=pO(s,o,i.map(([T])=>T));let x=(a===l.type?[a]:[a,l.type]).map(T=>Gg(s,T).closeBrace).sort((T,A)=>A-T);for(let T of x)s=s.slice(0,T)+`${p.join(`
`)}
`+s.slice(T);if(c=zf(s,t,"fragment"),!new RegExp(`\\b${Es(l.name)}\\s*:`).test(c.parameters))throw new Error(`Unable to preserve WGSL fragment input "${l.name}"`);return{source:s,declarations:m.join(`
`),vertexInitialization:b.join(`
`),fragmentInitialization:w.join(`
`)}}function zf(r,e,t){let i=new RegExp(`\\bfn\\s+${Es(e)}\\s*\\(`,"g").exec(r);if(!i)throw new Error(`ShaderPlugin varyings require WGSL ${t} entry point "${e}"`);let s=r.indexOf("(",i.index),o=$f(r,s,"(",")"),a=r.indexOf("{",o),c=$f(r,a,"{","}");if(o<0||a<0||c<0)throw new Error(`Unable to parse WGSL ${t} entry point "${e}"`);return{openParenthesis:s,closeParenthesis:o,openBrace:a,closeBrace:c,parameters:r.slice(s+1,o)}}function uO(r,e){let t=r.slice(e.closeParenthesis+1,e.openBrace),n=/->\s*([A-Za-z_][\w]*)\s*$/.exec(t.trim());if(!n||$g(r,n[1])===null)throw new Error("ShaderPlugin varyings require the WGSL vertex entry point to return a named struct");return n[1]}function fO(r,e){let t=[];for(let n of bO(e.parameters,",")){let i=/(?:@[A-Za-z_][\w]*(?:\([^)]*\))?\s*)*([A-Za-z_][\w]*)\s*:\s*([A-Za-z_][\w]*)\s*$/.exec(n.trim());i&&$g(r,i[2])&&t.push({name:i[1],type:i[2]})}if(t.length!==1)throw new Error(`ShaderPlugin varyings require exactly one named WGSL fragment input struct; found ${t.length}`);return t[0]}function Gg(r,e){let t=$g(r,e);if(!t)throw new Error(`Unable to find WGSL stage I/O struct "${e}"`);return t}function $g(r,e){let n=new RegExp(`\\bstruct\\s+${Es(e)}\\s*\\{`,"g").exec(r);if(!n)return null;let i=r.indexOf("{",n.index),s=$f(r,i,"{","}");return s<0?null:{openBrace:i,closeBrace:s,body:r.slice(i+1,s)}}function dO(r,e,t,n){let i=new RegExp(`\\b${Es(e)}\\s*\\(`,"g"),s=i.exec(r);for(;s;){if(s.index<t||s.index>n)throw new Error(`ShaderPlugin varying output struct "${e}" is constructed outside the selected vertex entry point`);s=i.exec(r)}}function hO(r,e,t,n){let i=new RegExp(`\\b${Es(e)}\\s*\\(`,"g"),s=[],o=i.exec(r);for(;o;){if(o.index>t.openBrace&&o.index<t.closeBrace){let a=r.indexOf("(",o.index),c=$f(r,a,"(",")");if(c<0||c>t.closeBrace)throw new Error(`Unable to parse WGSL output constructor "${e}"`);s.push({openParenthesis:a,closeParenthesis:c})}o=i.exec(r)}for(let a of s.sort((c,l)=>l.closeParenthesis-c.closeParenthesis)){let l=r.slice(a.openParenthesis+1,a.closeParenthesis).trim()?", ":"";r=r.slice(0,a.closeParenthesis)+l+n.join(", ")+r.slice(a.closeParenthesis)}return r}function pO(r,e,t){let n=mO(r,e.openBrace+1,e.closeBrace);for(let i=n.length-1;i>=0;i--){let s=n[i],o=r.slice(s.expressionStart,s.semicolon).trim();if(!o)throw new Error("ShaderPlugin varying vertex entry point cannot use an empty return");let a=`_luma_vertexOutput${i}`,c=t.map(u=>`${a}.${u} = ${u};`).join(`
`),l=`{
var ${a} = ${o};
${c}
return ${a};
}`;r=r.slice(0,s.start)+l+r.slice(s.semicolon+1)}return r}function mO(r,e,t){let n=[],i=e;for(;i<t;)if(i=Vg(r,i,t),r.slice(i,i+6)==="return"&&!/[A-Za-z0-9_]/.test(r[i+6]||"")){let s=i+6,o=gO(r,s,t);if(o<0)throw new Error("Unable to parse WGSL return statement in selected vertex entry point");n.push({start:i,expressionStart:s,semicolon:o}),i=o+1}else i++;return n}function gO(r,e,t){let n=0,i=0;for(let s=e;s<t;s++){let o=Vg(r,s,t);if(o!==s){s=o-1;continue}let a=r[s];if(a==="("&&n++,a===")"&&n--,a==="["&&i++,a==="]"&&i--,a===";"&&n===0&&i===0)return s}return-1}function Vg(r,e,t){let n=e;if(r[n]==="/"&&r[n+1]==="/"){let i=r.indexOf(`
`,n+2);return i<0||i>t?t:i+1}if(r[n]==="/"&&r[n+1]==="*"){let i=1;for(n+=2;n<t&&i>0;)r[n]==="/"&&r[n+1]==="*"?(i++,n+=2):r[n]==="*"&&r[n+1]==="/"?(i--,n+=2):n++}return n}function bO(r,e){let t=[],n=0,i=0,s=0;for(let o=0;o<r.length;o++){let a=r[o];a==="("&&i++,a===")"&&i--,a==="<"&&s++,a===">"&&s--,a===e&&i===0&&s===0&&(t.push(r.slice(n,o)),n=o+1)}return t.push(r.slice(n)),t}function gE(r){let e=[],t=/@location\s*\(\s*(\d+)\s*\)/g,n=t.exec(r);for(;n;)e.push(Number(n[1])),n=t.exec(r);return e}function Gf(r){let e=[],t=/(?:^|,)\s*(?:@[A-Za-z_][\w]*(?:\([^)]*\))?\s*)*([A-Za-z_][\w]*)\s*:/gm,n=t.exec(r);for(;n;)e.push(n[1]),n=t.exec(r);return e}function yO(r,e){let t=new RegExp(`\\b(?:var(?:<[^>]+>)?|let|const)\\s+${Es(e)}\\b`,"g"),n=t.exec(r);for(;n;){if(EO(r,n.index)===0)return!0;n=t.exec(r)}return!1}function _O(r){let e=0;for(;r.has(e);)e++;return e}function xO(r){let{primitiveType:e,components:t}=ur.getAttributeShaderTypeInfo(r),n=e==="u32"?"0u":e==="i32"?"0":"0.0";return t===1?n:`${Ff(r)}(${n})`}function wO(r){let{primitiveType:e,components:t}=ur.getAttributeShaderTypeInfo(r),n=`${e}(0)`;return t===1?n:`${r}(${n})`}function vO(r,e){if(new RegExp(`\\b(?:flat\\s+|smooth\\s+)?(?:in|out|varying)\\s+(?:(?:lowp|mediump|highp)\\s+)?[A-Za-z_][A-Za-z0-9_]*\\s+${Es(e)}\\s*(?:\\[|;)`).test(r))throw new Error(`ShaderPlugin varying "${e}" conflicts with existing GLSL stage I/O`)}function $f(r,e,t,n){let i=0,s=0,o=!1;for(let a=e;a<r.length;a++){let c=r[a],l=r[a+1];if(o){c===`
`&&(o=!1);continue}if(s>0){c==="/"&&l==="*"?(s++,a++):c==="*"&&l==="/"&&(s--,a++);continue}if(c==="/"&&l==="/"){o=!0,a++;continue}if(c==="/"&&l==="*"){s=1,a++;continue}if(c===t&&i++,c===n&&--i===0)return a}return-1}function EO(r,e){let t=0;for(let n=0;n<e;n++){let i=Vg(r,n,e);if(i!==n){n=i-1;continue}r[n]==="{"&&t++,r[n]==="}"&&t--}return t}function Es(r){return r.replace(/[.*+?^${}()|[\]\\]/g,"\\$&")}var _E=P(()=>{J();zg()});function vE(r){let e=ls(r.modules||[]),{source:t,bindingAssignments:n}=TO(r.platformInfo,{...r,source:r.source,stage:"vertex",modules:e});return{source:t,getUniforms:SE(e),bindingAssignments:n,bindingTable:Nf(t,n),shaderLayout:ff(t,{vertexEntryPoint:r.vertexEntryPoint,scanVertexAttributes:r.scanVertexAttributes})}}function EE(r){let{vs:e,fs:t}=r,n=ls(r.modules||[]);return{vs:xE(r.platformInfo,{...r,source:e,stage:"vertex",modules:n}),fs:xE(r.platformInfo,{...r,source:t,stage:"fragment",modules:n}),getUniforms:SE(n)}}function TO(r,e){let{source:t,stage:n,modules:i,defines:s={},hookFunctions:o=[],inject:a={},pluginInjections:c={},pluginVertexInputs:l={},pluginVaryings:u={},vertexEntryPoint:f="vertexMain",fragmentEntryPoint:d="fragmentMain",log:h}=e;Hn(typeof t=="string","shader source must be a string");let p=vs(t,{defines:s}),m=pE(p,f,l),b=yE(m.source,f,d,u),w=b.source,_="",x=Ng(o),E={},T={},A={};TE(c,E,T,A);for(let U in a){let O=typeof a[U]=="string"?{injection:a[U],order:0}:a[U],z=/^(v|f)s:(#)?([\w-]+)$/.exec(U);if(z){let W=z[2],Z=z[3];W?Z==="decl"?T[U]=[O]:A[U]=[O]:E[U]=[O]}else A[U]=[O]}PO(m.declarations,m.initialization,T,A),AO(b,T,A);let I=i,D=BO(w),N=IO(D.source),M=NO(I,e._bindingRegistry,N,s),R=[];for(let U of I){h&&Xm(U,w,h);let O=vs(PE(U,"wgsl",h),{defines:s}),z=kO(O,U,{usedBindingsByGroup:N,bindingRegistry:e._bindingRegistry,reservedBindingKeysByGroup:M});R.push(...z.bindingAssignments);let W=z.source;_+=W;let Z=LO(U);for(let H in Z){let qe=/^(v|f)s:#([\w-]+)$/.exec(H);if(qe){let le=qe[2]==="decl"?T:A;le[H]=le[H]||[],le[H].push(Z[H])}else E[H]=E[H]||[],E[H].push(Z[H])}}return _+=Wg,_=pc(_,n,MO(T),!1,"wgsl",{vertex:f,fragment:d}),_+=CO(x,E),_+=VO(R),_+=D.source,_=pc(_,n,A,!1,"wgsl",{vertex:f,fragment:d}),$O(_),{source:_,bindingAssignments:R}}function xE(r,e){let{source:t,stage:n,language:i="glsl",modules:s,defines:o={},hookFunctions:a=[],inject:c={},pluginInjections:l={},pluginVertexInputs:u={},pluginVaryings:f={},prologue:d=!0,log:h}=e;Hn(typeof t=="string","shader source must be a string");let p=i==="glsl"?oE(t).version:-1,m=r.shaderLanguageVersion,b=p===100?"#version 100":"#version 300 es",_=t.split(`
`).slice(1).join(`
`),x={};s.forEach(M=>{Object.assign(x,M.defines)}),Object.assign(x,o);let E="";switch(i){case"wgsl":break;case"glsl":E=d?`${b}

// ----- PROLOGUE -------------------------
${`#define SHADER_TYPE_${n.toUpperCase()}`}

${J1(r)}
${n==="fragment"?SO:""}

// ----- APPLICATION DEFINES -------------------------

${RO(x)}

`:`${b}
`;break}let T=Ng(a),A={},I={},D={};TE(l,A,I,D);for(let M in c){let R=typeof c[M]=="string"?{injection:c[M],order:0}:c[M],U=/^(v|f)s:(#)?([\w-]+)$/.exec(M);if(U){let O=U[2],z=U[3];O?z==="decl"?I[M]=[R]:D[M]=[R]:A[M]=[R]}else D[M]=[R]}if(n==="vertex"){let M=hE(_,u);M&&(I["vs:#decl"]=I["vs:#decl"]||[],I["vs:#decl"].push({injection:M,order:Number.MIN_SAFE_INTEGER}))}let N=bE(_,n,f);if(N.declarations){let M=n==="vertex"?"vs:#decl":"fs:#decl";I[M]=I[M]||[],I[M].push({injection:N.declarations,order:Number.MIN_SAFE_INTEGER})}N.initialization&&(D["vs:#main-start"]=D["vs:#main-start"]||[],D["vs:#main-start"].push({injection:N.initialization,order:Number.MIN_SAFE_INTEGER}));for(let M of s){h&&Xm(M,_,h);let R=PE(M,n,h);E+=R;let U=M.instance?.normalizedInjections[n]||{};for(let O in U){let z=/^(v|f)s:#([\w-]+)$/.exec(O);if(z){let Z=z[2]==="decl"?I:D;Z[O]=Z[O]||[],Z[O].push(U[O])}else A[O]=A[O]||[],A[O].push(U[O])}}return E+="// ----- MAIN SHADER SOURCE -------------------------",E+=Wg,E=pc(E,n,I),E+=Df(T[n],A),E+=_,E=pc(E,n,D),i==="glsl"&&p!==m&&(E=rE(E,n)),i==="glsl"&&kg(E,n,h),E.trim()}function SE(r){return function(t){let n={};for(let i of r){let s=i.getUniforms?.(t,n);Object.assign(n,s)}return n}}function TE(r,e,t,n){for(let i in r){let s=/^(v|f)s:(#)?([\w-]+)$/.exec(i);if(s){let o=s[2],a=s[3],c=o?a==="decl"?t:n:e;c[i]=c[i]||[],c[i].push(...r[i])}else n[i]=n[i]||[],n[i].push(...r[i])}}function PO(r,e,t,n){r&&(t["vs:#decl"]=t["vs:#decl"]||[],t["vs:#decl"].push({injection:r,order:Number.MIN_SAFE_INTEGER})),e&&(n["vs:#main-start"]=n["vs:#main-start"]||[],n["vs:#main-start"].push({injection:e,order:Number.MIN_SAFE_INTEGER}))}function AO(r,e,t){r.declarations&&(e["vs:#decl"]=e["vs:#decl"]||[],e["vs:#decl"].push({injection:r.declarations,order:Number.MIN_SAFE_INTEGER})),r.vertexInitialization&&(t["vs:#main-start"]=t["vs:#main-start"]||[],t["vs:#main-start"].push({injection:r.vertexInitialization,order:Number.MIN_SAFE_INTEGER})),r.fragmentInitialization&&(t["fs:#main-start"]=t["fs:#main-start"]||[],t["fs:#main-start"].push({injection:r.fragmentInitialization,order:Number.MIN_SAFE_INTEGER}))}function LO(r){return{...r.instance?.normalizedInjections.vertex||{},...r.instance?.normalizedInjections.fragment||{}}}function MO(r){let e=[...r["vs:#decl"]||[],...r["fs:#decl"]||[]];return e.length?{"vs:#decl":e}:{}}function CO(r,e){return Df(r.vertex,e,"wgsl")+Df(r.fragment,e,"wgsl")}function RO(r={}){let e="";for(let t in r){let n=r[t];(n||Number.isFinite(n))&&(e+=`#define ${t.toUpperCase()} ${r[t]}
`)}return e}function PE(r,e,t){let n;switch(e){case"vertex":n=r.vs||"";break;case"fragment":n=r.fs||"";break;case"wgsl":n=r.source||"";break;default:Hn(!1)}if(!r.name)throw new Error("Shader module must have a name");Bg(r,e,{log:t});let i=r.name.toUpperCase().replace(/[^0-9a-z]/gi,"_"),s=`// ----- MODULE ${r.name} ---------------

`;return e!=="wgsl"&&(s+=`#define MODULE_${i}
`),s+=`${n}
`,s}function IO(r){let e=new Map;for(let t of cs(r,wv)){let n=Number(t.bindingToken),i=Number(t.groupToken);jg(i,n,t.name),Wo(e,i,n,`application binding "${t.name}"`)}return e}function BO(r){let e=cs(r,cf),t=new Map;for(let s of e){if(s.bindingToken==="auto")continue;let o=Number(s.bindingToken),a=Number(s.groupToken);jg(a,o,s.name),Wo(t,a,o,`application binding "${s.name}"`)}let n={sawSupportedBindingDeclaration:e.length>0},i=Um(r,cf,s=>DO(s,t,n));if(zm(r)&&!n.sawSupportedBindingDeclaration)throw new Error('Unsupported @binding(auto) declaration form in application WGSL. Use adjacent "@group(N)" and "@binding(auto)" decorators followed by a bindable "var" declaration.');return{source:i}}function kO(r,e,t){let n=[],s={sawSupportedBindingDeclaration:cs(r,Oo).length>0,nextHintedBindingLocation:typeof e.firstBindingSlot=="number"?e.firstBindingSlot:null},o=Um(r,Oo,a=>OO(a,{module:e,context:t,bindingAssignments:n,relocationState:s}));if(zm(r)&&!s.sawSupportedBindingDeclaration)throw new Error(`Unsupported @binding(auto) declaration form in module "${e.name}". Use adjacent "@group(N)" and "@binding(auto)" decorators followed by a bindable "var" declaration.`);return{source:o,bindingAssignments:n}}function OO(r,e){let{module:t,context:n,bindingAssignments:i,relocationState:s}=e,{match:o,bindingToken:a,groupToken:c,name:l}=r,u=Number(c);if(a==="auto"){let d=AE(u,t.name,l),h=n.bindingRegistry?.get(d),p=h!==void 0?h:zO(u,n.usedBindingsByGroup,t.name,s.nextHintedBindingLocation??void 0,n.bindingRegistry);return wE(t.name,u,p,l),h!==void 0&&FO(n.reservedBindingKeysByGroup,u,p,d)?(i.push({moduleName:t.name,name:l,group:u,location:p}),o.replace(/@binding\(\s*auto\s*\)/,`@binding(${p})`)):(Wo(n.usedBindingsByGroup,u,p,`module "${t.name}" binding "${l}"`),n.bindingRegistry?.set(d,p),i.push({moduleName:t.name,name:l,group:u,location:p}),s.nextHintedBindingLocation!==null&&h===void 0&&(s.nextHintedBindingLocation=p+1),o.replace(/@binding\(\s*auto\s*\)/,`@binding(${p})`))}let f=Number(a);return wE(t.name,u,f,l),Wo(n.usedBindingsByGroup,u,f,`module "${t.name}" binding "${l}"`),i.push({moduleName:t.name,name:l,group:u,location:f}),o}function DO(r,e,t){let{match:n,bindingToken:i,groupToken:s,name:o}=r,a=Number(s);if(i==="auto"){let c=GO(a,e);return jg(a,c,o),Wo(e,a,c,`application binding "${o}"`),n.replace(/@binding\(\s*auto\s*\)/,`@binding(${c})`)}return t.sawSupportedBindingDeclaration=!0,n}function NO(r,e,t,n){let i=new Map;if(!e)return i;for(let s of r)for(let o of UO(s,n)){let a=AE(o.group,s.name,o.name),c=e.get(a);if(c!==void 0){let l=i.get(o.group)||new Map,u=l.get(c);if(u&&u!==a)throw new Error(`Duplicate WGSL binding reservation for modules "${u}" and "${a}": group ${o.group}, binding ${c}.`);Wo(t,o.group,c,`registered module binding "${a}"`),l.set(c,a),i.set(o.group,l)}}return i}function FO(r,e,t,n){let i=r.get(e);if(!i)return!1;let s=i.get(t);if(!s)return!1;if(s!==n)throw new Error(`Registered module binding "${n}" collided with "${s}": group ${e}, binding ${t}.`);return!0}function UO(r,e){let t=[],n=vs(r.source||"",{defines:e});for(let i of cs(n,Oo))t.push({name:i.name,group:Number(i.groupToken)});return t}function jg(r,e,t){if(r===0&&e>=Fc)throw new Error(`Application binding "${t}" in group 0 uses reserved binding ${e}. Application-owned explicit group-0 bindings must stay below ${Fc}.`)}function wE(r,e,t,n){if(e===0&&t<Fc)throw new Error(`Module "${r}" binding "${n}" in group 0 uses reserved application binding ${t}. Module-owned explicit group-0 bindings must be ${Fc} or higher.`)}function Wo(r,e,t,n){let i=r.get(e)||new Set;if(i.has(t))throw new Error(`Duplicate WGSL binding assignment for ${n}: group ${e}, binding ${t}.`);i.add(t),r.set(e,i)}function zO(r,e,t,n,i){let s=e.get(r)||new Set,o=new Set,a=`${r}:`,c=`${a}${t}:`;for(let[u,f]of i||[])u.startsWith(c)&&o.add(f);let l=n??(r===0?Fc:s.size>0?Math.max(...s)+1:0);for(;s.has(l)||o.has(l);)l++;for(let[u,f]of i||[])f===l&&u.startsWith(a)&&i?.delete(u);return l}function GO(r,e){let t=e.get(r)||new Set,n=0;for(;t.has(n);)n++;return n}function $O(r){let e=vv(r,Oo);if(!e)return;let t=WO(r,e.index);throw t?new Error(`Unresolved @binding(auto) for module "${t}" binding "${e.name}" remained in assembled WGSL source.`):jO(r,e.index)?new Error(`Unresolved @binding(auto) for application binding "${e.name}" remained in assembled WGSL source.`):new Error(`Unresolved @binding(auto) remained in assembled WGSL source near "${HO(e.match)}".`)}function VO(r){if(r.length===0)return"";let e=`// ----- MODULE WGSL BINDING ASSIGNMENTS ---------------
`;for(let t of r)e+=`// ${t.moduleName}.${t.name} -> @group(${t.group}) @binding(${t.location})
`;return e+=`
`,e}function AE(r,e,t){return`${r}:${e}:${t}`}function WO(r,e){let t=/^\/\/ ----- MODULE ([^\n]+) ---------------$/gm,n,i;for(i=t.exec(r);i&&i.index<=e;)n=i[1],i=t.exec(r);return n}function jO(r,e){let t=r.indexOf(Wg);return t>=0?e>t:!0}function HO(r){return r.replace(/\s+/g," ").trim()}var Wg,Fc,SO,LE=P(()=>{Zm();eE();qm();iE();mf();Og();sE();hf();aE();Fg();jm();Ug();zg();_E();lf();Wg=`

${hc}
`,Fc=100,SO=`precision highp float;
`});var Mr,jo,Si,ME=P(()=>{mf();LE();Fg();Ug();jm();hf();Mr=class r{static defaultShaderAssemblers={};_hookFunctions=[];_defaultModules=[];static getDefaultShaderAssembler(e){return Hn(e==="glsl"||e==="wgsl"),e==="wgsl"?(r.defaultShaderAssemblers.wgsl=r.defaultShaderAssemblers.wgsl||new Si,r.defaultShaderAssemblers.wgsl):(r.defaultShaderAssemblers.glsl=r.defaultShaderAssemblers.glsl||new jo,r.defaultShaderAssemblers.glsl)}addDefaultModule(e){this._defaultModules.find(t=>t.name===(typeof e=="string"?e:e.name))||this._defaultModules.push(e)}removeDefaultModule(e){let t=typeof e=="string"?e:e.name;this._defaultModules=this._defaultModules.filter(n=>n.name!==t)}addShaderHook(e,t){t&&(e=Object.assign(t,{hook:e})),this._hookFunctions.push(e)}_getModuleList(e=[]){let t=new Array(this._defaultModules.length+e.length),n={},i=0;for(let s=0,o=this._defaultModules.length;s<o;++s){let a=this._defaultModules[s],c=a.name;t[i++]=a,n[c]=!0}for(let s=0,o=e.length;s<o;++s){let a=e[s],c=a.name;n[c]||(t[i++]=a,n[c]=!0)}return t.length=i,No(t),t}},jo=class extends Mr{shaderLanguage="glsl";assembleGLSLShaderPair(e){let t=this._getModuleList(e.modules),n=this._hookFunctions;return{...EE({...e,vs:e.vs,fs:e.fs,modules:t,hookFunctions:n}),modules:t}}},Si=class r extends Mr{shaderLanguage="wgsl";_wgslBindingRegistry=new Map;assembleWGSLShader(e){let t=this._getModuleList(e.modules),n=this._hookFunctions,i=r.getShaderPreprocessorDefines(e,t),s=e.platformInfo.shaderLanguage==="wgsl"&&e.source?vs(e.source,{defines:i}):e.source,{source:o,getUniforms:a,bindingAssignments:c}=vE({...e,source:s,defines:i,_bindingRegistry:this._wgslBindingRegistry,modules:t,hookFunctions:n}),l=e.platformInfo.shaderLanguage==="wgsl"?vs(o,{defines:i}):o;return{source:l,getUniforms:a,modules:t,bindingAssignments:c,bindingTable:Nf(l,c),shaderLayout:ff(l,{vertexEntryPoint:e.vertexEntryPoint,scanVertexAttributes:e.scanVertexAttributes})}}static getShaderPreprocessorDefines(e,t){return{...r.getPlatformPreprocessorDefines(e.platformInfo),...t.reduce((n,i)=>(Object.assign(n,i.defines),n),{}),...e.defines}}static getPlatformPreprocessorDefines(e){let t=e.limits||{};return{LUMA_SUPPORTS_VERTEX_STORAGE_BUFFERS:e.type==="webgpu"&&(t.maxStorageBuffersInVertexStage||0)>0,LUMA_FP32_TAN_PRECISION_WORKAROUND:e.type==="webgpu"&&e.gpu.toLowerCase()!=="nvidia"&&e.gpu.toLowerCase()!=="amd",LUMA_FP64_INTEGER_ARITHMETIC:e.type==="webgpu"&&e.gpu.toLowerCase()==="apple"}}}});function Hg(r){let{input:e,inputChannels:t,output:n}=r||{};if(!e)return qO;if(!t)throw new Error("inputChannels");let i=XO(t),s=CE(e,t);return`#version 300 es
in ${i} ${e};
out vec4 ${n};
void main() {
  ${n} = ${s};
}`}function XO(r){switch(r){case 1:return"float";case 2:return"vec2";case 3:return"vec3";case 4:return"vec4";default:throw new Error(`invalid channels: ${r}`)}}function CE(r,e){switch(e){case 1:return`vec4(${r}, 0.0, 0.0, 1.0)`;case 2:return`vec4(${r}, 0.0, 1.0)`;case 3:return`vec4(${r}, 1.0)`;case 4:return r;default:throw new Error(`invalid channels: ${e}`)}}var YO,qO,RE=P(()=>{YO=`out vec4 transform_output;
void main() {
  transform_output = vec4(0);
}`,qO=`#version 300 es
${YO}`});function Yg(r,{precision:e=pt.precision}={}){return r=KO(r),`${parseFloat(r.toPrecision(e))}`}function qn(r){return Array.isArray(r)||ArrayBuffer.isView(r)&&!(r instanceof DataView)}function Ue(r,e,t){return JO(r,n=>Math.max(e,Math.min(t,n)))}function jr(r,e,t){return qn(r)?r.map((n,i)=>jr(n,e[i],t)):t*e+(1-t)*r}function wn(r,e,t){let n=pt.EPSILON;t&&(pt.EPSILON=t);try{if(r===e)return!0;if(qn(r)&&qn(e)){if(r.length!==e.length)return!1;for(let i=0;i<r.length;++i)if(!wn(r[i],e[i]))return!1;return!0}return r&&r.equals?r.equals(e):e&&e.equals?e.equals(r):typeof r=="number"&&typeof e=="number"?Math.abs(r-e)<=pt.EPSILON*Math.max(1,Math.abs(r),Math.abs(e)):!1}finally{pt.EPSILON=n}}function KO(r){return Math.round(r/pt.EPSILON)*pt.EPSILON}function QO(r){return r.clone?r.clone():new Array(r.length)}function JO(r,e,t){if(qn(r)){let n=r;t=t||QO(n);for(let i=0;i<t.length&&i<n.length;++i){let s=typeof r=="number"?r:r[i];t[i]=e(s,i,t)}return t}return e(r)}var Vq,Wq,ZO,pt,Ho=P(()=>{Vq=1/Math.PI*180,Wq=1/180*Math.PI,ZO={EPSILON:1e-12,debug:!1,precision:4,printTypes:!1,printDegrees:!1,printRowMajor:!0,_cartographicRadians:!1};globalThis.mathgl=globalThis.mathgl||{config:{...ZO}};pt=globalThis.mathgl.config});var Yo,qg=P(()=>{Ho();Yo=class extends Array{clone(){return new this.constructor().copy(this)}fromArray(e,t=0){for(let n=0;n<this.ELEMENTS;++n)this[n]=e[n+t];return this.check()}toArray(e=[],t=0){for(let n=0;n<this.ELEMENTS;++n)e[t+n]=this[n];return e}toObject(e){return e}from(e){return Array.isArray(e)?this.copy(e):this.fromObject(e)}to(e){return e===this?this:qn(e)?this.toArray(e):this.toObject(e)}toTarget(e){return e?this.to(e):this}toFloat32Array(){return new Float32Array(this)}toString(){return this.formatString(pt)}formatString(e){let t="";for(let n=0;n<this.ELEMENTS;++n)t+=(n>0?", ":"")+Yg(this[n],e);return`${e.printTypes?this.constructor.name:""}[${t}]`}equals(e){if(!e||this.length!==e.length)return!1;for(let t=0;t<this.ELEMENTS;++t)if(!wn(this[t],e[t]))return!1;return!0}exactEquals(e){if(!e||this.length!==e.length)return!1;for(let t=0;t<this.ELEMENTS;++t)if(this[t]!==e[t])return!1;return!0}negate(){for(let e=0;e<this.ELEMENTS;++e)this[e]=-this[e];return this.check()}lerp(e,t,n){if(n===void 0)return this.lerp(this,e,t);for(let i=0;i<this.ELEMENTS;++i){let s=e[i],o=typeof t=="number"?t:t[i];this[i]=s+n*(o-s)}return this.check()}min(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=Math.min(e[t],this[t]);return this.check()}max(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=Math.max(e[t],this[t]);return this.check()}clamp(e,t){for(let n=0;n<this.ELEMENTS;++n)this[n]=Math.min(Math.max(this[n],e[n]),t[n]);return this.check()}add(...e){for(let t of e)for(let n=0;n<this.ELEMENTS;++n)this[n]+=t[n];return this.check()}subtract(...e){for(let t of e)for(let n=0;n<this.ELEMENTS;++n)this[n]-=t[n];return this.check()}scale(e){if(typeof e=="number")for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;else for(let t=0;t<this.ELEMENTS&&t<e.length;++t)this[t]*=e[t];return this.check()}multiplyByScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;return this.check()}check(){if(pt.debug&&!this.validate())throw new Error(`math.gl: ${this.constructor.name} some fields set to invalid numbers'`);return this}validate(){let e=this.length===this.ELEMENTS;for(let t=0;t<this.ELEMENTS;++t)e=e&&Number.isFinite(this[t]);return e}sub(e){return this.subtract(e)}setScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=e;return this.check()}addScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]+=e;return this.check()}subScalar(e){return this.addScalar(-e)}multiplyScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;return this.check()}divideScalar(e){return this.multiplyByScalar(1/e)}clampScalar(e,t){for(let n=0;n<this.ELEMENTS;++n)this[n]=Math.min(Math.max(this[n],e),t);return this.check()}get elements(){return this}}});function e4(r,e){if(r.length!==e)return!1;for(let t=0;t<r.length;++t)if(!Number.isFinite(r[t]))return!1;return!0}function wt(r){if(!Number.isFinite(r))throw new Error(`Invalid number ${JSON.stringify(r)}`);return r}function Vf(r,e,t=""){if(pt.debug&&!e4(r,e))throw new Error(`math.gl: ${t} some fields set to invalid numbers'`);return r}var Uc=P(()=>{Ho()});function Xg(r,e){if(!r)throw new Error(`math.gl assertion ${e}`)}var IE=P(()=>{});var Wf,BE=P(()=>{qg();Uc();IE();Wf=class extends Yo{get x(){return this[0]}set x(e){this[0]=wt(e)}get y(){return this[1]}set y(e){this[1]=wt(e)}len(){return Math.sqrt(this.lengthSquared())}magnitude(){return this.len()}lengthSquared(){let e=0;for(let t=0;t<this.ELEMENTS;++t)e+=this[t]*this[t];return e}magnitudeSquared(){return this.lengthSquared()}distance(e){return Math.sqrt(this.distanceSquared(e))}distanceSquared(e){let t=0;for(let n=0;n<this.ELEMENTS;++n){let i=this[n]-e[n];t+=i*i}return wt(t)}dot(e){let t=0;for(let n=0;n<this.ELEMENTS;++n)t+=this[n]*e[n];return wt(t)}normalize(){let e=this.magnitude();if(e!==0)for(let t=0;t<this.ELEMENTS;++t)this[t]/=e;return this.check()}multiply(...e){for(let t of e)for(let n=0;n<this.ELEMENTS;++n)this[n]*=t[n];return this.check()}divide(...e){for(let t of e)for(let n=0;n<this.ELEMENTS;++n)this[n]/=t[n];return this.check()}lengthSq(){return this.lengthSquared()}distanceTo(e){return this.distance(e)}distanceToSquared(e){return this.distanceSquared(e)}getComponent(e){return Xg(e>=0&&e<this.ELEMENTS,"index is out of range"),wt(this[e])}setComponent(e,t){return Xg(e>=0&&e<this.ELEMENTS,"index is out of range"),this[e]=t,this.check()}addVectors(e,t){return this.copy(e).add(t)}subVectors(e,t){return this.copy(e).subtract(t)}multiplyVectors(e,t){return this.copy(e).multiply(t)}addScaledVector(e,t){return this.add(new this.constructor(e).multiplyScalar(t))}}});function Cr(r){return r>=0?Math.round(r):r%.5===0?Math.floor(r):Math.round(r)}var Te,vn,tX,Ss=P(()=>{Te=typeof Float32Array<"u"?Float32Array:Array,vn=Math.random;tX=Math.PI/180});var Ft={};zn(Ft,{add:()=>s4,angle:()=>S4,ceil:()=>o4,clone:()=>t4,copy:()=>n4,create:()=>kE,cross:()=>b4,dist:()=>B4,distance:()=>FE,div:()=>I4,divide:()=>NE,dot:()=>g4,equals:()=>L4,exactEquals:()=>A4,floor:()=>a4,forEach:()=>D4,fromValues:()=>r4,inverse:()=>p4,len:()=>M4,length:()=>zE,lerp:()=>y4,max:()=>l4,min:()=>c4,mul:()=>R4,multiply:()=>DE,negate:()=>h4,normalize:()=>m4,random:()=>_4,rotate:()=>E4,round:()=>u4,scale:()=>f4,scaleAndAdd:()=>d4,set:()=>i4,sqrDist:()=>k4,sqrLen:()=>O4,squaredDistance:()=>UE,squaredLength:()=>GE,str:()=>P4,sub:()=>C4,subtract:()=>OE,transformMat2:()=>x4,transformMat2d:()=>w4,transformMat3:()=>v4,transformMat4:()=>Zg,zero:()=>T4});function kE(){let r=new Te(2);return Te!=Float32Array&&(r[0]=0,r[1]=0),r}function t4(r){let e=new Te(2);return e[0]=r[0],e[1]=r[1],e}function r4(r,e){let t=new Te(2);return t[0]=r,t[1]=e,t}function n4(r,e){return r[0]=e[0],r[1]=e[1],r}function i4(r,e,t){return r[0]=e,r[1]=t,r}function s4(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r}function OE(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r}function DE(r,e,t){return r[0]=e[0]*t[0],r[1]=e[1]*t[1],r}function NE(r,e,t){return r[0]=e[0]/t[0],r[1]=e[1]/t[1],r}function o4(r,e){return r[0]=Math.ceil(e[0]),r[1]=Math.ceil(e[1]),r}function a4(r,e){return r[0]=Math.floor(e[0]),r[1]=Math.floor(e[1]),r}function c4(r,e,t){return r[0]=Math.min(e[0],t[0]),r[1]=Math.min(e[1],t[1]),r}function l4(r,e,t){return r[0]=Math.max(e[0],t[0]),r[1]=Math.max(e[1],t[1]),r}function u4(r,e){return r[0]=Cr(e[0]),r[1]=Cr(e[1]),r}function f4(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r}function d4(r,e,t,n){return r[0]=e[0]+t[0]*n,r[1]=e[1]+t[1]*n,r}function FE(r,e){let t=e[0]-r[0],n=e[1]-r[1];return Math.sqrt(t*t+n*n)}function UE(r,e){let t=e[0]-r[0],n=e[1]-r[1];return t*t+n*n}function zE(r){let e=r[0],t=r[1];return Math.sqrt(e*e+t*t)}function GE(r){let e=r[0],t=r[1];return e*e+t*t}function h4(r,e){return r[0]=-e[0],r[1]=-e[1],r}function p4(r,e){return r[0]=1/e[0],r[1]=1/e[1],r}function m4(r,e){let t=e[0],n=e[1],i=t*t+n*n;return i>0&&(i=1/Math.sqrt(i)),r[0]=e[0]*i,r[1]=e[1]*i,r}function g4(r,e){return r[0]*e[0]+r[1]*e[1]}function b4(r,e,t){let n=e[0]*t[1]-e[1]*t[0];return r[0]=r[1]=0,r[2]=n,r}function y4(r,e,t,n){let i=e[0],s=e[1];return r[0]=i+n*(t[0]-i),r[1]=s+n*(t[1]-s),r}function _4(r,e){e=e===void 0?1:e;let t=vn()*2*Math.PI;return r[0]=Math.cos(t)*e,r[1]=Math.sin(t)*e,r}function x4(r,e,t){let n=e[0],i=e[1];return r[0]=t[0]*n+t[2]*i,r[1]=t[1]*n+t[3]*i,r}function w4(r,e,t){let n=e[0],i=e[1];return r[0]=t[0]*n+t[2]*i+t[4],r[1]=t[1]*n+t[3]*i+t[5],r}function v4(r,e,t){let n=e[0],i=e[1];return r[0]=t[0]*n+t[3]*i+t[6],r[1]=t[1]*n+t[4]*i+t[7],r}function Zg(r,e,t){let n=e[0],i=e[1];return r[0]=t[0]*n+t[4]*i+t[12],r[1]=t[1]*n+t[5]*i+t[13],r}function E4(r,e,t,n){let i=e[0]-t[0],s=e[1]-t[1],o=Math.sin(n),a=Math.cos(n);return r[0]=i*a-s*o+t[0],r[1]=i*o+s*a+t[1],r}function S4(r,e){let t=r[0],n=r[1],i=e[0],s=e[1],o=Math.sqrt((t*t+n*n)*(i*i+s*s)),a=o&&(t*i+n*s)/o;return Math.acos(Math.min(Math.max(a,-1),1))}function T4(r){return r[0]=0,r[1]=0,r}function P4(r){return`vec2(${r[0]}, ${r[1]})`}function A4(r,e){return r[0]===e[0]&&r[1]===e[1]}function L4(r,e){let t=r[0],n=r[1],i=e[0],s=e[1];return Math.abs(t-i)<=1e-6*Math.max(1,Math.abs(t),Math.abs(i))&&Math.abs(n-s)<=1e-6*Math.max(1,Math.abs(n),Math.abs(s))}var M4,C4,R4,I4,B4,k4,O4,D4,Kg=P(()=>{Ss();M4=zE,C4=OE,R4=DE,I4=NE,B4=FE,k4=UE,O4=GE,D4=(function(){let r=kE();return function(e,t,n,i,s,o){let a,c;for(t||(t=2),n||(n=0),i?c=Math.min(i*t+n,e.length):c=e.length,a=n;a<c;a+=t)r[0]=e[a],r[1]=e[a+1],s(r,r,o),e[a]=r[0],e[a+1]=r[1];return e}})()});function $E(r,e,t){let n=e[0],i=e[1],s=t[3]*n+t[7]*i||1;return r[0]=(t[0]*n+t[4]*i)/s,r[1]=(t[1]*n+t[5]*i)/s,r}function jf(r,e,t){let n=e[0],i=e[1],s=e[2],o=t[3]*n+t[7]*i+t[11]*s||1;return r[0]=(t[0]*n+t[4]*i+t[8]*s)/o,r[1]=(t[1]*n+t[5]*i+t[9]*s)/o,r[2]=(t[2]*n+t[6]*i+t[10]*s)/o,r}function VE(r,e,t){let n=e[0],i=e[1];return r[0]=t[0]*n+t[2]*i,r[1]=t[1]*n+t[3]*i,r[2]=e[2],r}var Qg=P(()=>{});var Ps={};zn(Ps,{add:()=>z4,angle:()=>sb,bezier:()=>J4,ceil:()=>G4,clone:()=>N4,copy:()=>F4,create:()=>Hf,cross:()=>Ts,dist:()=>cD,distance:()=>qE,div:()=>aD,divide:()=>YE,dot:()=>zc,equals:()=>iD,exactEquals:()=>nD,floor:()=>$4,forEach:()=>fD,fromValues:()=>Yf,hermite:()=>Q4,inverse:()=>X4,len:()=>ob,length:()=>WE,lerp:()=>Z4,max:()=>W4,min:()=>V4,mul:()=>oD,multiply:()=>HE,negate:()=>q4,normalize:()=>Jg,random:()=>eD,rotateX:()=>rb,rotateY:()=>nb,rotateZ:()=>ib,round:()=>j4,scale:()=>H4,scaleAndAdd:()=>Y4,set:()=>U4,slerp:()=>K4,sqrDist:()=>lD,sqrLen:()=>uD,squaredDistance:()=>XE,squaredLength:()=>ZE,str:()=>rD,sub:()=>sD,subtract:()=>jE,transformMat3:()=>eb,transformMat4:()=>Gc,transformQuat:()=>tb,zero:()=>tD});function Hf(){let r=new Te(3);return Te!=Float32Array&&(r[0]=0,r[1]=0,r[2]=0),r}function N4(r){let e=new Te(3);return e[0]=r[0],e[1]=r[1],e[2]=r[2],e}function WE(r){let e=r[0],t=r[1],n=r[2];return Math.sqrt(e*e+t*t+n*n)}function Yf(r,e,t){let n=new Te(3);return n[0]=r,n[1]=e,n[2]=t,n}function F4(r,e){return r[0]=e[0],r[1]=e[1],r[2]=e[2],r}function U4(r,e,t,n){return r[0]=e,r[1]=t,r[2]=n,r}function z4(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r[2]=e[2]+t[2],r}function jE(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r[2]=e[2]-t[2],r}function HE(r,e,t){return r[0]=e[0]*t[0],r[1]=e[1]*t[1],r[2]=e[2]*t[2],r}function YE(r,e,t){return r[0]=e[0]/t[0],r[1]=e[1]/t[1],r[2]=e[2]/t[2],r}function G4(r,e){return r[0]=Math.ceil(e[0]),r[1]=Math.ceil(e[1]),r[2]=Math.ceil(e[2]),r}function $4(r,e){return r[0]=Math.floor(e[0]),r[1]=Math.floor(e[1]),r[2]=Math.floor(e[2]),r}function V4(r,e,t){return r[0]=Math.min(e[0],t[0]),r[1]=Math.min(e[1],t[1]),r[2]=Math.min(e[2],t[2]),r}function W4(r,e,t){return r[0]=Math.max(e[0],t[0]),r[1]=Math.max(e[1],t[1]),r[2]=Math.max(e[2],t[2]),r}function j4(r,e){return r[0]=Cr(e[0]),r[1]=Cr(e[1]),r[2]=Cr(e[2]),r}function H4(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r[2]=e[2]*t,r}function Y4(r,e,t,n){return r[0]=e[0]+t[0]*n,r[1]=e[1]+t[1]*n,r[2]=e[2]+t[2]*n,r}function qE(r,e){let t=e[0]-r[0],n=e[1]-r[1],i=e[2]-r[2];return Math.sqrt(t*t+n*n+i*i)}function XE(r,e){let t=e[0]-r[0],n=e[1]-r[1],i=e[2]-r[2];return t*t+n*n+i*i}function ZE(r){let e=r[0],t=r[1],n=r[2];return e*e+t*t+n*n}function q4(r,e){return r[0]=-e[0],r[1]=-e[1],r[2]=-e[2],r}function X4(r,e){return r[0]=1/e[0],r[1]=1/e[1],r[2]=1/e[2],r}function Jg(r,e){let t=e[0],n=e[1],i=e[2],s=t*t+n*n+i*i;return s>0&&(s=1/Math.sqrt(s)),r[0]=e[0]*s,r[1]=e[1]*s,r[2]=e[2]*s,r}function zc(r,e){return r[0]*e[0]+r[1]*e[1]+r[2]*e[2]}function Ts(r,e,t){let n=e[0],i=e[1],s=e[2],o=t[0],a=t[1],c=t[2];return r[0]=i*c-s*a,r[1]=s*o-n*c,r[2]=n*a-i*o,r}function Z4(r,e,t,n){let i=e[0],s=e[1],o=e[2];return r[0]=i+n*(t[0]-i),r[1]=s+n*(t[1]-s),r[2]=o+n*(t[2]-o),r}function K4(r,e,t,n){let i=Math.acos(Math.min(Math.max(zc(e,t),-1),1)),s=Math.sin(i),o=Math.sin((1-n)*i)/s,a=Math.sin(n*i)/s;return r[0]=o*e[0]+a*t[0],r[1]=o*e[1]+a*t[1],r[2]=o*e[2]+a*t[2],r}function Q4(r,e,t,n,i,s){let o=s*s,a=o*(2*s-3)+1,c=o*(s-2)+s,l=o*(s-1),u=o*(3-2*s);return r[0]=e[0]*a+t[0]*c+n[0]*l+i[0]*u,r[1]=e[1]*a+t[1]*c+n[1]*l+i[1]*u,r[2]=e[2]*a+t[2]*c+n[2]*l+i[2]*u,r}function J4(r,e,t,n,i,s){let o=1-s,a=o*o,c=s*s,l=a*o,u=3*s*a,f=3*c*o,d=c*s;return r[0]=e[0]*l+t[0]*u+n[0]*f+i[0]*d,r[1]=e[1]*l+t[1]*u+n[1]*f+i[1]*d,r[2]=e[2]*l+t[2]*u+n[2]*f+i[2]*d,r}function eD(r,e){e=e===void 0?1:e;let t=vn()*2*Math.PI,n=vn()*2-1,i=Math.sqrt(1-n*n)*e;return r[0]=Math.cos(t)*i,r[1]=Math.sin(t)*i,r[2]=n*e,r}function Gc(r,e,t){let n=e[0],i=e[1],s=e[2],o=t[3]*n+t[7]*i+t[11]*s+t[15];return o=o||1,r[0]=(t[0]*n+t[4]*i+t[8]*s+t[12])/o,r[1]=(t[1]*n+t[5]*i+t[9]*s+t[13])/o,r[2]=(t[2]*n+t[6]*i+t[10]*s+t[14])/o,r}function eb(r,e,t){let n=e[0],i=e[1],s=e[2];return r[0]=n*t[0]+i*t[3]+s*t[6],r[1]=n*t[1]+i*t[4]+s*t[7],r[2]=n*t[2]+i*t[5]+s*t[8],r}function tb(r,e,t){let n=t[0],i=t[1],s=t[2],o=t[3],a=e[0],c=e[1],l=e[2],u=i*l-s*c,f=s*a-n*l,d=n*c-i*a,h=i*d-s*f,p=s*u-n*d,m=n*f-i*u,b=o*2;return u*=b,f*=b,d*=b,h*=2,p*=2,m*=2,r[0]=a+u+h,r[1]=c+f+p,r[2]=l+d+m,r}function rb(r,e,t,n){let i=[],s=[];return i[0]=e[0]-t[0],i[1]=e[1]-t[1],i[2]=e[2]-t[2],s[0]=i[0],s[1]=i[1]*Math.cos(n)-i[2]*Math.sin(n),s[2]=i[1]*Math.sin(n)+i[2]*Math.cos(n),r[0]=s[0]+t[0],r[1]=s[1]+t[1],r[2]=s[2]+t[2],r}function nb(r,e,t,n){let i=[],s=[];return i[0]=e[0]-t[0],i[1]=e[1]-t[1],i[2]=e[2]-t[2],s[0]=i[2]*Math.sin(n)+i[0]*Math.cos(n),s[1]=i[1],s[2]=i[2]*Math.cos(n)-i[0]*Math.sin(n),r[0]=s[0]+t[0],r[1]=s[1]+t[1],r[2]=s[2]+t[2],r}function ib(r,e,t,n){let i=[],s=[];return i[0]=e[0]-t[0],i[1]=e[1]-t[1],i[2]=e[2]-t[2],s[0]=i[0]*Math.cos(n)-i[1]*Math.sin(n),s[1]=i[0]*Math.sin(n)+i[1]*Math.cos(n),s[2]=i[2],r[0]=s[0]+t[0],r[1]=s[1]+t[1],r[2]=s[2]+t[2],r}function sb(r,e){let t=r[0],n=r[1],i=r[2],s=e[0],o=e[1],a=e[2],c=Math.sqrt((t*t+n*n+i*i)*(s*s+o*o+a*a)),l=c&&zc(r,e)/c;return Math.acos(Math.min(Math.max(l,-1),1))}function tD(r){return r[0]=0,r[1]=0,r[2]=0,r}function rD(r){return`vec3(${r[0]}, ${r[1]}, ${r[2]})`}function nD(r,e){return r[0]===e[0]&&r[1]===e[1]&&r[2]===e[2]}function iD(r,e){let t=r[0],n=r[1],i=r[2],s=e[0],o=e[1],a=e[2];return Math.abs(t-s)<=1e-6*Math.max(1,Math.abs(t),Math.abs(s))&&Math.abs(n-o)<=1e-6*Math.max(1,Math.abs(n),Math.abs(o))&&Math.abs(i-a)<=1e-6*Math.max(1,Math.abs(i),Math.abs(a))}var sD,oD,aD,cD,lD,ob,uD,fD,$c=P(()=>{Ss();sD=jE,oD=HE,aD=YE,cD=qE,lD=XE,ob=WE,uD=ZE,fD=(function(){let r=Hf();return function(e,t,n,i,s,o){let a,c;for(t||(t=3),n||(n=0),i?c=Math.min(i*t+n,e.length):c=e.length,a=n;a<c;a+=t)r[0]=e[a],r[1]=e[a+1],r[2]=e[a+2],s(r,r,o),e[a]=r[0],e[a+1]=r[1],e[a+2]=r[2];return e}})()});var ab,qf,vt,KE=P(()=>{BE();Ho();Uc();$c();Qg();ab=[0,0,0],vt=class r extends Wf{static get ZERO(){return qf||(qf=new r(0,0,0),Object.freeze(qf)),qf}constructor(e=0,t=0,n=0){super(-0,-0,-0),arguments.length===1&&qn(e)?this.copy(e):(pt.debug&&(wt(e),wt(t),wt(n)),this[0]=e,this[1]=t,this[2]=n)}set(e,t,n){return this[0]=e,this[1]=t,this[2]=n,this.check()}copy(e){return this[0]=e[0],this[1]=e[1],this[2]=e[2],this.check()}fromObject(e){return pt.debug&&(wt(e.x),wt(e.y),wt(e.z)),this[0]=e.x,this[1]=e.y,this[2]=e.z,this.check()}toObject(e){return e.x=this[0],e.y=this[1],e.z=this[2],e}get ELEMENTS(){return 3}get z(){return this[2]}set z(e){this[2]=wt(e)}angle(e){return sb(this,e)}cross(e){return Ts(this,this,e),this.check()}rotateX({radians:e,origin:t=ab}){return rb(this,this,t,e),this.check()}rotateY({radians:e,origin:t=ab}){return nb(this,this,t,e),this.check()}rotateZ({radians:e,origin:t=ab}){return ib(this,this,t,e),this.check()}transform(e){return this.transformAsPoint(e)}transformAsPoint(e){return Gc(this,this,e),this.check()}transformAsVector(e){return jf(this,this,e),this.check()}transformByMatrix3(e){return eb(this,this,e),this.check()}transformByMatrix2(e){return VE(this,this,e),this.check()}transformByQuaternion(e){return tb(this,this,e),this.check()}}});var Xf,QE=P(()=>{qg();Uc();Ho();Xf=class extends Yo{toString(){let e="[";if(pt.printRowMajor){e+="row-major:";for(let t=0;t<this.RANK;++t)for(let n=0;n<this.RANK;++n)e+=` ${this[n*this.RANK+t]}`}else{e+="column-major:";for(let t=0;t<this.ELEMENTS;++t)e+=` ${this[t]}`}return e+="]",e}getElementIndex(e,t){return t*this.RANK+e}getElement(e,t){return this[t*this.RANK+e]}setElement(e,t,n){return this[t*this.RANK+e]=wt(n),this}getColumn(e,t=new Array(this.RANK).fill(-0)){let n=e*this.RANK;for(let i=0;i<this.RANK;++i)t[i]=this[n+i];return t}setColumn(e,t){let n=e*this.RANK;for(let i=0;i<this.RANK;++i)this[n+i]=t[i];return this}}});function JE(){let r=new Te(9);return Te!=Float32Array&&(r[1]=0,r[2]=0,r[3]=0,r[5]=0,r[6]=0,r[7]=0),r[0]=1,r[4]=1,r[8]=1,r}var cb=P(()=>{Ss()});var it={};zn(it,{add:()=>DD,adjoint:()=>bD,clone:()=>hD,copy:()=>pD,create:()=>dD,decompose:()=>AD,determinant:()=>fb,equals:()=>zD,exactEquals:()=>UD,frob:()=>OD,fromQuat:()=>yb,fromQuat2:()=>SD,fromRotation:()=>xD,fromRotationTranslation:()=>r2,fromRotationTranslationScale:()=>LD,fromRotationTranslationScaleOrigin:()=>MD,fromScaling:()=>_D,fromTranslation:()=>yD,fromValues:()=>mD,fromXRotation:()=>wD,fromYRotation:()=>vD,fromZRotation:()=>ED,frustum:()=>_b,getRotation:()=>PD,getScaling:()=>n2,getTranslation:()=>TD,identity:()=>t2,invert:()=>ub,lookAt:()=>vb,mul:()=>GD,multiply:()=>Vc,multiplyScalar:()=>ND,multiplyScalarAndAdd:()=>FD,ortho:()=>wb,orthoNO:()=>s2,orthoZO:()=>ID,perspective:()=>xb,perspectiveFromFieldOfView:()=>RD,perspectiveNO:()=>i2,perspectiveZO:()=>CD,rotate:()=>pb,rotateX:()=>mb,rotateY:()=>gb,rotateZ:()=>bb,scale:()=>hb,set:()=>gD,str:()=>kD,sub:()=>$D,subtract:()=>o2,targetTo:()=>BD,translate:()=>db,transpose:()=>lb});function dD(){let r=new Te(16);return Te!=Float32Array&&(r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[11]=0,r[12]=0,r[13]=0,r[14]=0),r[0]=1,r[5]=1,r[10]=1,r[15]=1,r}function hD(r){let e=new Te(16);return e[0]=r[0],e[1]=r[1],e[2]=r[2],e[3]=r[3],e[4]=r[4],e[5]=r[5],e[6]=r[6],e[7]=r[7],e[8]=r[8],e[9]=r[9],e[10]=r[10],e[11]=r[11],e[12]=r[12],e[13]=r[13],e[14]=r[14],e[15]=r[15],e}function pD(r,e){return r[0]=e[0],r[1]=e[1],r[2]=e[2],r[3]=e[3],r[4]=e[4],r[5]=e[5],r[6]=e[6],r[7]=e[7],r[8]=e[8],r[9]=e[9],r[10]=e[10],r[11]=e[11],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15],r}function mD(r,e,t,n,i,s,o,a,c,l,u,f,d,h,p,m){let b=new Te(16);return b[0]=r,b[1]=e,b[2]=t,b[3]=n,b[4]=i,b[5]=s,b[6]=o,b[7]=a,b[8]=c,b[9]=l,b[10]=u,b[11]=f,b[12]=d,b[13]=h,b[14]=p,b[15]=m,b}function gD(r,e,t,n,i,s,o,a,c,l,u,f,d,h,p,m,b){return r[0]=e,r[1]=t,r[2]=n,r[3]=i,r[4]=s,r[5]=o,r[6]=a,r[7]=c,r[8]=l,r[9]=u,r[10]=f,r[11]=d,r[12]=h,r[13]=p,r[14]=m,r[15]=b,r}function t2(r){return r[0]=1,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=1,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=1,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function lb(r,e){if(r===e){let t=e[1],n=e[2],i=e[3],s=e[6],o=e[7],a=e[11];r[1]=e[4],r[2]=e[8],r[3]=e[12],r[4]=t,r[6]=e[9],r[7]=e[13],r[8]=n,r[9]=s,r[11]=e[14],r[12]=i,r[13]=o,r[14]=a}else r[0]=e[0],r[1]=e[4],r[2]=e[8],r[3]=e[12],r[4]=e[1],r[5]=e[5],r[6]=e[9],r[7]=e[13],r[8]=e[2],r[9]=e[6],r[10]=e[10],r[11]=e[14],r[12]=e[3],r[13]=e[7],r[14]=e[11],r[15]=e[15];return r}function ub(r,e){let t=e[0],n=e[1],i=e[2],s=e[3],o=e[4],a=e[5],c=e[6],l=e[7],u=e[8],f=e[9],d=e[10],h=e[11],p=e[12],m=e[13],b=e[14],w=e[15],_=t*a-n*o,x=t*c-i*o,E=t*l-s*o,T=n*c-i*a,A=n*l-s*a,I=i*l-s*c,D=u*m-f*p,N=u*b-d*p,M=u*w-h*p,R=f*b-d*m,U=f*w-h*m,O=d*w-h*b,z=_*O-x*U+E*R+T*M-A*N+I*D;return z?(z=1/z,r[0]=(a*O-c*U+l*R)*z,r[1]=(i*U-n*O-s*R)*z,r[2]=(m*I-b*A+w*T)*z,r[3]=(d*A-f*I-h*T)*z,r[4]=(c*M-o*O-l*N)*z,r[5]=(t*O-i*M+s*N)*z,r[6]=(b*E-p*I-w*x)*z,r[7]=(u*I-d*E+h*x)*z,r[8]=(o*U-a*M+l*D)*z,r[9]=(n*M-t*U-s*D)*z,r[10]=(p*A-m*E+w*_)*z,r[11]=(f*E-u*A-h*_)*z,r[12]=(a*N-o*R-c*D)*z,r[13]=(t*R-n*N+i*D)*z,r[14]=(m*x-p*T-b*_)*z,r[15]=(u*T-f*x+d*_)*z,r):null}function bD(r,e){let t=e[0],n=e[1],i=e[2],s=e[3],o=e[4],a=e[5],c=e[6],l=e[7],u=e[8],f=e[9],d=e[10],h=e[11],p=e[12],m=e[13],b=e[14],w=e[15],_=t*a-n*o,x=t*c-i*o,E=t*l-s*o,T=n*c-i*a,A=n*l-s*a,I=i*l-s*c,D=u*m-f*p,N=u*b-d*p,M=u*w-h*p,R=f*b-d*m,U=f*w-h*m,O=d*w-h*b;return r[0]=a*O-c*U+l*R,r[1]=i*U-n*O-s*R,r[2]=m*I-b*A+w*T,r[3]=d*A-f*I-h*T,r[4]=c*M-o*O-l*N,r[5]=t*O-i*M+s*N,r[6]=b*E-p*I-w*x,r[7]=u*I-d*E+h*x,r[8]=o*U-a*M+l*D,r[9]=n*M-t*U-s*D,r[10]=p*A-m*E+w*_,r[11]=f*E-u*A-h*_,r[12]=a*N-o*R-c*D,r[13]=t*R-n*N+i*D,r[14]=m*x-p*T-b*_,r[15]=u*T-f*x+d*_,r}function fb(r){let e=r[0],t=r[1],n=r[2],i=r[3],s=r[4],o=r[5],a=r[6],c=r[7],l=r[8],u=r[9],f=r[10],d=r[11],h=r[12],p=r[13],m=r[14],b=r[15],w=e*o-t*s,_=e*a-n*s,x=t*a-n*o,E=l*p-u*h,T=l*m-f*h,A=u*m-f*p,I=e*A-t*T+n*E,D=s*A-o*T+a*E,N=l*x-u*_+f*w,M=h*x-p*_+m*w;return c*I-i*D+b*N-d*M}function Vc(r,e,t){let n=e[0],i=e[1],s=e[2],o=e[3],a=e[4],c=e[5],l=e[6],u=e[7],f=e[8],d=e[9],h=e[10],p=e[11],m=e[12],b=e[13],w=e[14],_=e[15],x=t[0],E=t[1],T=t[2],A=t[3];return r[0]=x*n+E*a+T*f+A*m,r[1]=x*i+E*c+T*d+A*b,r[2]=x*s+E*l+T*h+A*w,r[3]=x*o+E*u+T*p+A*_,x=t[4],E=t[5],T=t[6],A=t[7],r[4]=x*n+E*a+T*f+A*m,r[5]=x*i+E*c+T*d+A*b,r[6]=x*s+E*l+T*h+A*w,r[7]=x*o+E*u+T*p+A*_,x=t[8],E=t[9],T=t[10],A=t[11],r[8]=x*n+E*a+T*f+A*m,r[9]=x*i+E*c+T*d+A*b,r[10]=x*s+E*l+T*h+A*w,r[11]=x*o+E*u+T*p+A*_,x=t[12],E=t[13],T=t[14],A=t[15],r[12]=x*n+E*a+T*f+A*m,r[13]=x*i+E*c+T*d+A*b,r[14]=x*s+E*l+T*h+A*w,r[15]=x*o+E*u+T*p+A*_,r}function db(r,e,t){let n=t[0],i=t[1],s=t[2],o,a,c,l,u,f,d,h,p,m,b,w;return e===r?(r[12]=e[0]*n+e[4]*i+e[8]*s+e[12],r[13]=e[1]*n+e[5]*i+e[9]*s+e[13],r[14]=e[2]*n+e[6]*i+e[10]*s+e[14],r[15]=e[3]*n+e[7]*i+e[11]*s+e[15]):(o=e[0],a=e[1],c=e[2],l=e[3],u=e[4],f=e[5],d=e[6],h=e[7],p=e[8],m=e[9],b=e[10],w=e[11],r[0]=o,r[1]=a,r[2]=c,r[3]=l,r[4]=u,r[5]=f,r[6]=d,r[7]=h,r[8]=p,r[9]=m,r[10]=b,r[11]=w,r[12]=o*n+u*i+p*s+e[12],r[13]=a*n+f*i+m*s+e[13],r[14]=c*n+d*i+b*s+e[14],r[15]=l*n+h*i+w*s+e[15]),r}function hb(r,e,t){let n=t[0],i=t[1],s=t[2];return r[0]=e[0]*n,r[1]=e[1]*n,r[2]=e[2]*n,r[3]=e[3]*n,r[4]=e[4]*i,r[5]=e[5]*i,r[6]=e[6]*i,r[7]=e[7]*i,r[8]=e[8]*s,r[9]=e[9]*s,r[10]=e[10]*s,r[11]=e[11]*s,r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15],r}function pb(r,e,t,n){let i=n[0],s=n[1],o=n[2],a=Math.sqrt(i*i+s*s+o*o),c,l,u,f,d,h,p,m,b,w,_,x,E,T,A,I,D,N,M,R,U,O,z,W;return a<1e-6?null:(a=1/a,i*=a,s*=a,o*=a,l=Math.sin(t),c=Math.cos(t),u=1-c,f=e[0],d=e[1],h=e[2],p=e[3],m=e[4],b=e[5],w=e[6],_=e[7],x=e[8],E=e[9],T=e[10],A=e[11],I=i*i*u+c,D=s*i*u+o*l,N=o*i*u-s*l,M=i*s*u-o*l,R=s*s*u+c,U=o*s*u+i*l,O=i*o*u+s*l,z=s*o*u-i*l,W=o*o*u+c,r[0]=f*I+m*D+x*N,r[1]=d*I+b*D+E*N,r[2]=h*I+w*D+T*N,r[3]=p*I+_*D+A*N,r[4]=f*M+m*R+x*U,r[5]=d*M+b*R+E*U,r[6]=h*M+w*R+T*U,r[7]=p*M+_*R+A*U,r[8]=f*O+m*z+x*W,r[9]=d*O+b*z+E*W,r[10]=h*O+w*z+T*W,r[11]=p*O+_*z+A*W,e!==r&&(r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r)}function mb(r,e,t){let n=Math.sin(t),i=Math.cos(t),s=e[4],o=e[5],a=e[6],c=e[7],l=e[8],u=e[9],f=e[10],d=e[11];return e!==r&&(r[0]=e[0],r[1]=e[1],r[2]=e[2],r[3]=e[3],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r[4]=s*i+l*n,r[5]=o*i+u*n,r[6]=a*i+f*n,r[7]=c*i+d*n,r[8]=l*i-s*n,r[9]=u*i-o*n,r[10]=f*i-a*n,r[11]=d*i-c*n,r}function gb(r,e,t){let n=Math.sin(t),i=Math.cos(t),s=e[0],o=e[1],a=e[2],c=e[3],l=e[8],u=e[9],f=e[10],d=e[11];return e!==r&&(r[4]=e[4],r[5]=e[5],r[6]=e[6],r[7]=e[7],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r[0]=s*i-l*n,r[1]=o*i-u*n,r[2]=a*i-f*n,r[3]=c*i-d*n,r[8]=s*n+l*i,r[9]=o*n+u*i,r[10]=a*n+f*i,r[11]=c*n+d*i,r}function bb(r,e,t){let n=Math.sin(t),i=Math.cos(t),s=e[0],o=e[1],a=e[2],c=e[3],l=e[4],u=e[5],f=e[6],d=e[7];return e!==r&&(r[8]=e[8],r[9]=e[9],r[10]=e[10],r[11]=e[11],r[12]=e[12],r[13]=e[13],r[14]=e[14],r[15]=e[15]),r[0]=s*i+l*n,r[1]=o*i+u*n,r[2]=a*i+f*n,r[3]=c*i+d*n,r[4]=l*i-s*n,r[5]=u*i-o*n,r[6]=f*i-a*n,r[7]=d*i-c*n,r}function yD(r,e){return r[0]=1,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=1,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=1,r[11]=0,r[12]=e[0],r[13]=e[1],r[14]=e[2],r[15]=1,r}function _D(r,e){return r[0]=e[0],r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=e[1],r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=e[2],r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function xD(r,e,t){let n=t[0],i=t[1],s=t[2],o=Math.sqrt(n*n+i*i+s*s),a,c,l;return o<1e-6?null:(o=1/o,n*=o,i*=o,s*=o,c=Math.sin(e),a=Math.cos(e),l=1-a,r[0]=n*n*l+a,r[1]=i*n*l+s*c,r[2]=s*n*l-i*c,r[3]=0,r[4]=n*i*l-s*c,r[5]=i*i*l+a,r[6]=s*i*l+n*c,r[7]=0,r[8]=n*s*l+i*c,r[9]=i*s*l-n*c,r[10]=s*s*l+a,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r)}function wD(r,e){let t=Math.sin(e),n=Math.cos(e);return r[0]=1,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=n,r[6]=t,r[7]=0,r[8]=0,r[9]=-t,r[10]=n,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function vD(r,e){let t=Math.sin(e),n=Math.cos(e);return r[0]=n,r[1]=0,r[2]=-t,r[3]=0,r[4]=0,r[5]=1,r[6]=0,r[7]=0,r[8]=t,r[9]=0,r[10]=n,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function ED(r,e){let t=Math.sin(e),n=Math.cos(e);return r[0]=n,r[1]=t,r[2]=0,r[3]=0,r[4]=-t,r[5]=n,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=1,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function r2(r,e,t){let n=e[0],i=e[1],s=e[2],o=e[3],a=n+n,c=i+i,l=s+s,u=n*a,f=n*c,d=n*l,h=i*c,p=i*l,m=s*l,b=o*a,w=o*c,_=o*l;return r[0]=1-(h+m),r[1]=f+_,r[2]=d-w,r[3]=0,r[4]=f-_,r[5]=1-(u+m),r[6]=p+b,r[7]=0,r[8]=d+w,r[9]=p-b,r[10]=1-(u+h),r[11]=0,r[12]=t[0],r[13]=t[1],r[14]=t[2],r[15]=1,r}function SD(r,e){let t=new Te(3),n=-e[0],i=-e[1],s=-e[2],o=e[3],a=e[4],c=e[5],l=e[6],u=e[7],f=n*n+i*i+s*s+o*o;return f>0?(t[0]=(a*o+u*n+c*s-l*i)*2/f,t[1]=(c*o+u*i+l*n-a*s)*2/f,t[2]=(l*o+u*s+a*i-c*n)*2/f):(t[0]=(a*o+u*n+c*s-l*i)*2,t[1]=(c*o+u*i+l*n-a*s)*2,t[2]=(l*o+u*s+a*i-c*n)*2),r2(r,e,t),r}function TD(r,e){return r[0]=e[12],r[1]=e[13],r[2]=e[14],r}function n2(r,e){let t=e[0],n=e[1],i=e[2],s=e[4],o=e[5],a=e[6],c=e[8],l=e[9],u=e[10];return r[0]=Math.sqrt(t*t+n*n+i*i),r[1]=Math.sqrt(s*s+o*o+a*a),r[2]=Math.sqrt(c*c+l*l+u*u),r}function PD(r,e){let t=new Te(3);n2(t,e);let n=1/t[0],i=1/t[1],s=1/t[2],o=e[0]*n,a=e[1]*i,c=e[2]*s,l=e[4]*n,u=e[5]*i,f=e[6]*s,d=e[8]*n,h=e[9]*i,p=e[10]*s,m=o+u+p,b=0;return m>0?(b=Math.sqrt(m+1)*2,r[3]=.25*b,r[0]=(f-h)/b,r[1]=(d-c)/b,r[2]=(a-l)/b):o>u&&o>p?(b=Math.sqrt(1+o-u-p)*2,r[3]=(f-h)/b,r[0]=.25*b,r[1]=(a+l)/b,r[2]=(d+c)/b):u>p?(b=Math.sqrt(1+u-o-p)*2,r[3]=(d-c)/b,r[0]=(a+l)/b,r[1]=.25*b,r[2]=(f+h)/b):(b=Math.sqrt(1+p-o-u)*2,r[3]=(a-l)/b,r[0]=(d+c)/b,r[1]=(f+h)/b,r[2]=.25*b),r}function AD(r,e,t,n){e[0]=n[12],e[1]=n[13],e[2]=n[14];let i=n[0],s=n[1],o=n[2],a=n[4],c=n[5],l=n[6],u=n[8],f=n[9],d=n[10];t[0]=Math.sqrt(i*i+s*s+o*o),t[1]=Math.sqrt(a*a+c*c+l*l),t[2]=Math.sqrt(u*u+f*f+d*d);let h=1/t[0],p=1/t[1],m=1/t[2],b=i*h,w=s*p,_=o*m,x=a*h,E=c*p,T=l*m,A=u*h,I=f*p,D=d*m,N=b+E+D,M=0;return N>0?(M=Math.sqrt(N+1)*2,r[3]=.25*M,r[0]=(T-I)/M,r[1]=(A-_)/M,r[2]=(w-x)/M):b>E&&b>D?(M=Math.sqrt(1+b-E-D)*2,r[3]=(T-I)/M,r[0]=.25*M,r[1]=(w+x)/M,r[2]=(A+_)/M):E>D?(M=Math.sqrt(1+E-b-D)*2,r[3]=(A-_)/M,r[0]=(w+x)/M,r[1]=.25*M,r[2]=(T+I)/M):(M=Math.sqrt(1+D-b-E)*2,r[3]=(w-x)/M,r[0]=(A+_)/M,r[1]=(T+I)/M,r[2]=.25*M),r}function LD(r,e,t,n){let i=e[0],s=e[1],o=e[2],a=e[3],c=i+i,l=s+s,u=o+o,f=i*c,d=i*l,h=i*u,p=s*l,m=s*u,b=o*u,w=a*c,_=a*l,x=a*u,E=n[0],T=n[1],A=n[2];return r[0]=(1-(p+b))*E,r[1]=(d+x)*E,r[2]=(h-_)*E,r[3]=0,r[4]=(d-x)*T,r[5]=(1-(f+b))*T,r[6]=(m+w)*T,r[7]=0,r[8]=(h+_)*A,r[9]=(m-w)*A,r[10]=(1-(f+p))*A,r[11]=0,r[12]=t[0],r[13]=t[1],r[14]=t[2],r[15]=1,r}function MD(r,e,t,n,i){let s=e[0],o=e[1],a=e[2],c=e[3],l=s+s,u=o+o,f=a+a,d=s*l,h=s*u,p=s*f,m=o*u,b=o*f,w=a*f,_=c*l,x=c*u,E=c*f,T=n[0],A=n[1],I=n[2],D=i[0],N=i[1],M=i[2],R=(1-(m+w))*T,U=(h+E)*T,O=(p-x)*T,z=(h-E)*A,W=(1-(d+w))*A,Z=(b+_)*A,H=(p+x)*I,qe=(b-_)*I,we=(1-(d+m))*I;return r[0]=R,r[1]=U,r[2]=O,r[3]=0,r[4]=z,r[5]=W,r[6]=Z,r[7]=0,r[8]=H,r[9]=qe,r[10]=we,r[11]=0,r[12]=t[0]+D-(R*D+z*N+H*M),r[13]=t[1]+N-(U*D+W*N+qe*M),r[14]=t[2]+M-(O*D+Z*N+we*M),r[15]=1,r}function yb(r,e){let t=e[0],n=e[1],i=e[2],s=e[3],o=t+t,a=n+n,c=i+i,l=t*o,u=n*o,f=n*a,d=i*o,h=i*a,p=i*c,m=s*o,b=s*a,w=s*c;return r[0]=1-f-p,r[1]=u+w,r[2]=d-b,r[3]=0,r[4]=u-w,r[5]=1-l-p,r[6]=h+m,r[7]=0,r[8]=d+b,r[9]=h-m,r[10]=1-l-f,r[11]=0,r[12]=0,r[13]=0,r[14]=0,r[15]=1,r}function _b(r,e,t,n,i,s,o){let a=1/(t-e),c=1/(i-n),l=1/(s-o);return r[0]=s*2*a,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=s*2*c,r[6]=0,r[7]=0,r[8]=(t+e)*a,r[9]=(i+n)*c,r[10]=(o+s)*l,r[11]=-1,r[12]=0,r[13]=0,r[14]=o*s*2*l,r[15]=0,r}function i2(r,e,t,n,i){let s=1/Math.tan(e/2);if(r[0]=s/t,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=s,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[11]=-1,r[12]=0,r[13]=0,r[15]=0,i!=null&&i!==1/0){let o=1/(n-i);r[10]=(i+n)*o,r[14]=2*i*n*o}else r[10]=-1,r[14]=-2*n;return r}function CD(r,e,t,n,i){let s=1/Math.tan(e/2);if(r[0]=s/t,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=s,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[11]=-1,r[12]=0,r[13]=0,r[15]=0,i!=null&&i!==1/0){let o=1/(n-i);r[10]=i*o,r[14]=i*n*o}else r[10]=-1,r[14]=-n;return r}function RD(r,e,t,n){let i=Math.tan(e.upDegrees*Math.PI/180),s=Math.tan(e.downDegrees*Math.PI/180),o=Math.tan(e.leftDegrees*Math.PI/180),a=Math.tan(e.rightDegrees*Math.PI/180),c=2/(o+a),l=2/(i+s);return r[0]=c,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=l,r[6]=0,r[7]=0,r[8]=-((o-a)*c*.5),r[9]=(i-s)*l*.5,r[10]=n/(t-n),r[11]=-1,r[12]=0,r[13]=0,r[14]=n*t/(t-n),r[15]=0,r}function s2(r,e,t,n,i,s,o){let a=1/(e-t),c=1/(n-i),l=1/(s-o);return r[0]=-2*a,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=-2*c,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=2*l,r[11]=0,r[12]=(e+t)*a,r[13]=(i+n)*c,r[14]=(o+s)*l,r[15]=1,r}function ID(r,e,t,n,i,s,o){let a=1/(e-t),c=1/(n-i),l=1/(s-o);return r[0]=-2*a,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=-2*c,r[6]=0,r[7]=0,r[8]=0,r[9]=0,r[10]=l,r[11]=0,r[12]=(e+t)*a,r[13]=(i+n)*c,r[14]=s*l,r[15]=1,r}function vb(r,e,t,n){let i,s,o,a,c,l,u,f,d,h,p=e[0],m=e[1],b=e[2],w=n[0],_=n[1],x=n[2],E=t[0],T=t[1],A=t[2];return Math.abs(p-E)<1e-6&&Math.abs(m-T)<1e-6&&Math.abs(b-A)<1e-6?t2(r):(f=p-E,d=m-T,h=b-A,i=1/Math.sqrt(f*f+d*d+h*h),f*=i,d*=i,h*=i,s=_*h-x*d,o=x*f-w*h,a=w*d-_*f,i=Math.sqrt(s*s+o*o+a*a),i?(i=1/i,s*=i,o*=i,a*=i):(s=0,o=0,a=0),c=d*a-h*o,l=h*s-f*a,u=f*o-d*s,i=Math.sqrt(c*c+l*l+u*u),i?(i=1/i,c*=i,l*=i,u*=i):(c=0,l=0,u=0),r[0]=s,r[1]=c,r[2]=f,r[3]=0,r[4]=o,r[5]=l,r[6]=d,r[7]=0,r[8]=a,r[9]=u,r[10]=h,r[11]=0,r[12]=-(s*p+o*m+a*b),r[13]=-(c*p+l*m+u*b),r[14]=-(f*p+d*m+h*b),r[15]=1,r)}function BD(r,e,t,n){let i=e[0],s=e[1],o=e[2],a=n[0],c=n[1],l=n[2],u=i-t[0],f=s-t[1],d=o-t[2],h=u*u+f*f+d*d;h>0&&(h=1/Math.sqrt(h),u*=h,f*=h,d*=h);let p=c*d-l*f,m=l*u-a*d,b=a*f-c*u;return h=p*p+m*m+b*b,h>0&&(h=1/Math.sqrt(h),p*=h,m*=h,b*=h),r[0]=p,r[1]=m,r[2]=b,r[3]=0,r[4]=f*b-d*m,r[5]=d*p-u*b,r[6]=u*m-f*p,r[7]=0,r[8]=u,r[9]=f,r[10]=d,r[11]=0,r[12]=i,r[13]=s,r[14]=o,r[15]=1,r}function kD(r){return`mat4(${r[0]}, ${r[1]}, ${r[2]}, ${r[3]}, ${r[4]}, ${r[5]}, ${r[6]}, ${r[7]}, ${r[8]}, ${r[9]}, ${r[10]}, ${r[11]}, ${r[12]}, ${r[13]}, ${r[14]}, ${r[15]})`}function OD(r){return Math.sqrt(r[0]*r[0]+r[1]*r[1]+r[2]*r[2]+r[3]*r[3]+r[4]*r[4]+r[5]*r[5]+r[6]*r[6]+r[7]*r[7]+r[8]*r[8]+r[9]*r[9]+r[10]*r[10]+r[11]*r[11]+r[12]*r[12]+r[13]*r[13]+r[14]*r[14]+r[15]*r[15])}function DD(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r[2]=e[2]+t[2],r[3]=e[3]+t[3],r[4]=e[4]+t[4],r[5]=e[5]+t[5],r[6]=e[6]+t[6],r[7]=e[7]+t[7],r[8]=e[8]+t[8],r[9]=e[9]+t[9],r[10]=e[10]+t[10],r[11]=e[11]+t[11],r[12]=e[12]+t[12],r[13]=e[13]+t[13],r[14]=e[14]+t[14],r[15]=e[15]+t[15],r}function o2(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r[2]=e[2]-t[2],r[3]=e[3]-t[3],r[4]=e[4]-t[4],r[5]=e[5]-t[5],r[6]=e[6]-t[6],r[7]=e[7]-t[7],r[8]=e[8]-t[8],r[9]=e[9]-t[9],r[10]=e[10]-t[10],r[11]=e[11]-t[11],r[12]=e[12]-t[12],r[13]=e[13]-t[13],r[14]=e[14]-t[14],r[15]=e[15]-t[15],r}function ND(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r[2]=e[2]*t,r[3]=e[3]*t,r[4]=e[4]*t,r[5]=e[5]*t,r[6]=e[6]*t,r[7]=e[7]*t,r[8]=e[8]*t,r[9]=e[9]*t,r[10]=e[10]*t,r[11]=e[11]*t,r[12]=e[12]*t,r[13]=e[13]*t,r[14]=e[14]*t,r[15]=e[15]*t,r}function FD(r,e,t,n){return r[0]=e[0]+t[0]*n,r[1]=e[1]+t[1]*n,r[2]=e[2]+t[2]*n,r[3]=e[3]+t[3]*n,r[4]=e[4]+t[4]*n,r[5]=e[5]+t[5]*n,r[6]=e[6]+t[6]*n,r[7]=e[7]+t[7]*n,r[8]=e[8]+t[8]*n,r[9]=e[9]+t[9]*n,r[10]=e[10]+t[10]*n,r[11]=e[11]+t[11]*n,r[12]=e[12]+t[12]*n,r[13]=e[13]+t[13]*n,r[14]=e[14]+t[14]*n,r[15]=e[15]+t[15]*n,r}function UD(r,e){return r[0]===e[0]&&r[1]===e[1]&&r[2]===e[2]&&r[3]===e[3]&&r[4]===e[4]&&r[5]===e[5]&&r[6]===e[6]&&r[7]===e[7]&&r[8]===e[8]&&r[9]===e[9]&&r[10]===e[10]&&r[11]===e[11]&&r[12]===e[12]&&r[13]===e[13]&&r[14]===e[14]&&r[15]===e[15]}function zD(r,e){let t=r[0],n=r[1],i=r[2],s=r[3],o=r[4],a=r[5],c=r[6],l=r[7],u=r[8],f=r[9],d=r[10],h=r[11],p=r[12],m=r[13],b=r[14],w=r[15],_=e[0],x=e[1],E=e[2],T=e[3],A=e[4],I=e[5],D=e[6],N=e[7],M=e[8],R=e[9],U=e[10],O=e[11],z=e[12],W=e[13],Z=e[14],H=e[15];return Math.abs(t-_)<=1e-6*Math.max(1,Math.abs(t),Math.abs(_))&&Math.abs(n-x)<=1e-6*Math.max(1,Math.abs(n),Math.abs(x))&&Math.abs(i-E)<=1e-6*Math.max(1,Math.abs(i),Math.abs(E))&&Math.abs(s-T)<=1e-6*Math.max(1,Math.abs(s),Math.abs(T))&&Math.abs(o-A)<=1e-6*Math.max(1,Math.abs(o),Math.abs(A))&&Math.abs(a-I)<=1e-6*Math.max(1,Math.abs(a),Math.abs(I))&&Math.abs(c-D)<=1e-6*Math.max(1,Math.abs(c),Math.abs(D))&&Math.abs(l-N)<=1e-6*Math.max(1,Math.abs(l),Math.abs(N))&&Math.abs(u-M)<=1e-6*Math.max(1,Math.abs(u),Math.abs(M))&&Math.abs(f-R)<=1e-6*Math.max(1,Math.abs(f),Math.abs(R))&&Math.abs(d-U)<=1e-6*Math.max(1,Math.abs(d),Math.abs(U))&&Math.abs(h-O)<=1e-6*Math.max(1,Math.abs(h),Math.abs(O))&&Math.abs(p-z)<=1e-6*Math.max(1,Math.abs(p),Math.abs(z))&&Math.abs(m-W)<=1e-6*Math.max(1,Math.abs(m),Math.abs(W))&&Math.abs(b-Z)<=1e-6*Math.max(1,Math.abs(b),Math.abs(Z))&&Math.abs(w-H)<=1e-6*Math.max(1,Math.abs(w),Math.abs(H))}var xb,wb,GD,$D,Eb=P(()=>{Ss();xb=i2;wb=s2;GD=Vc,$D=o2});var Hr={};zn(Hr,{add:()=>d2,ceil:()=>VD,clone:()=>c2,copy:()=>u2,create:()=>a2,cross:()=>KD,dist:()=>o6,distance:()=>b2,div:()=>s6,divide:()=>m2,dot:()=>_2,equals:()=>r6,exactEquals:()=>w2,floor:()=>WD,forEach:()=>u6,fromValues:()=>l2,inverse:()=>ZD,len:()=>c6,length:()=>Sb,lerp:()=>x2,max:()=>HD,min:()=>jD,mul:()=>i6,multiply:()=>p2,negate:()=>XD,normalize:()=>Pb,random:()=>QD,round:()=>YD,scale:()=>g2,scaleAndAdd:()=>qD,set:()=>f2,sqrDist:()=>a6,sqrLen:()=>l6,squaredDistance:()=>y2,squaredLength:()=>Tb,str:()=>t6,sub:()=>n6,subtract:()=>h2,transformMat4:()=>Ab,transformQuat:()=>JD,zero:()=>e6});function a2(){let r=new Te(4);return Te!=Float32Array&&(r[0]=0,r[1]=0,r[2]=0,r[3]=0),r}function c2(r){let e=new Te(4);return e[0]=r[0],e[1]=r[1],e[2]=r[2],e[3]=r[3],e}function l2(r,e,t,n){let i=new Te(4);return i[0]=r,i[1]=e,i[2]=t,i[3]=n,i}function u2(r,e){return r[0]=e[0],r[1]=e[1],r[2]=e[2],r[3]=e[3],r}function f2(r,e,t,n,i){return r[0]=e,r[1]=t,r[2]=n,r[3]=i,r}function d2(r,e,t){return r[0]=e[0]+t[0],r[1]=e[1]+t[1],r[2]=e[2]+t[2],r[3]=e[3]+t[3],r}function h2(r,e,t){return r[0]=e[0]-t[0],r[1]=e[1]-t[1],r[2]=e[2]-t[2],r[3]=e[3]-t[3],r}function p2(r,e,t){return r[0]=e[0]*t[0],r[1]=e[1]*t[1],r[2]=e[2]*t[2],r[3]=e[3]*t[3],r}function m2(r,e,t){return r[0]=e[0]/t[0],r[1]=e[1]/t[1],r[2]=e[2]/t[2],r[3]=e[3]/t[3],r}function VD(r,e){return r[0]=Math.ceil(e[0]),r[1]=Math.ceil(e[1]),r[2]=Math.ceil(e[2]),r[3]=Math.ceil(e[3]),r}function WD(r,e){return r[0]=Math.floor(e[0]),r[1]=Math.floor(e[1]),r[2]=Math.floor(e[2]),r[3]=Math.floor(e[3]),r}function jD(r,e,t){return r[0]=Math.min(e[0],t[0]),r[1]=Math.min(e[1],t[1]),r[2]=Math.min(e[2],t[2]),r[3]=Math.min(e[3],t[3]),r}function HD(r,e,t){return r[0]=Math.max(e[0],t[0]),r[1]=Math.max(e[1],t[1]),r[2]=Math.max(e[2],t[2]),r[3]=Math.max(e[3],t[3]),r}function YD(r,e){return r[0]=Cr(e[0]),r[1]=Cr(e[1]),r[2]=Cr(e[2]),r[3]=Cr(e[3]),r}function g2(r,e,t){return r[0]=e[0]*t,r[1]=e[1]*t,r[2]=e[2]*t,r[3]=e[3]*t,r}function qD(r,e,t,n){return r[0]=e[0]+t[0]*n,r[1]=e[1]+t[1]*n,r[2]=e[2]+t[2]*n,r[3]=e[3]+t[3]*n,r}function b2(r,e){let t=e[0]-r[0],n=e[1]-r[1],i=e[2]-r[2],s=e[3]-r[3];return Math.sqrt(t*t+n*n+i*i+s*s)}function y2(r,e){let t=e[0]-r[0],n=e[1]-r[1],i=e[2]-r[2],s=e[3]-r[3];return t*t+n*n+i*i+s*s}function Sb(r){let e=r[0],t=r[1],n=r[2],i=r[3];return Math.sqrt(e*e+t*t+n*n+i*i)}function Tb(r){let e=r[0],t=r[1],n=r[2],i=r[3];return e*e+t*t+n*n+i*i}function XD(r,e){return r[0]=-e[0],r[1]=-e[1],r[2]=-e[2],r[3]=-e[3],r}function ZD(r,e){return r[0]=1/e[0],r[1]=1/e[1],r[2]=1/e[2],r[3]=1/e[3],r}function Pb(r,e){let t=e[0],n=e[1],i=e[2],s=e[3],o=t*t+n*n+i*i+s*s;return o>0&&(o=1/Math.sqrt(o)),r[0]=t*o,r[1]=n*o,r[2]=i*o,r[3]=s*o,r}function _2(r,e){return r[0]*e[0]+r[1]*e[1]+r[2]*e[2]+r[3]*e[3]}function KD(r,e,t,n){let i=t[0]*n[1]-t[1]*n[0],s=t[0]*n[2]-t[2]*n[0],o=t[0]*n[3]-t[3]*n[0],a=t[1]*n[2]-t[2]*n[1],c=t[1]*n[3]-t[3]*n[1],l=t[2]*n[3]-t[3]*n[2],u=e[0],f=e[1],d=e[2],h=e[3];return r[0]=f*l-d*c+h*a,r[1]=-(u*l)+d*o-h*s,r[2]=u*c-f*o+h*i,r[3]=-(u*a)+f*s-d*i,r}function x2(r,e,t,n){let i=e[0],s=e[1],o=e[2],a=e[3];return r[0]=i+n*(t[0]-i),r[1]=s+n*(t[1]-s),r[2]=o+n*(t[2]-o),r[3]=a+n*(t[3]-a),r}function QD(r,e){e=e===void 0?1:e;let t,n,i,s,o,a;do t=vn()*2-1,n=vn()*2-1,o=t*t+n*n;while(o>=1);do i=vn()*2-1,s=vn()*2-1,a=i*i+s*s;while(a>=1);let c=Math.sqrt((1-o)/a);return r[0]=e*t,r[1]=e*n,r[2]=e*i*c,r[3]=e*s*c,r}function Ab(r,e,t){let n=e[0],i=e[1],s=e[2],o=e[3];return r[0]=t[0]*n+t[4]*i+t[8]*s+t[12]*o,r[1]=t[1]*n+t[5]*i+t[9]*s+t[13]*o,r[2]=t[2]*n+t[6]*i+t[10]*s+t[14]*o,r[3]=t[3]*n+t[7]*i+t[11]*s+t[15]*o,r}function JD(r,e,t){let n=e[0],i=e[1],s=e[2],o=t[0],a=t[1],c=t[2],l=t[3],u=l*n+a*s-c*i,f=l*i+c*n-o*s,d=l*s+o*i-a*n,h=-o*n-a*i-c*s;return r[0]=u*l+h*-o+f*-c-d*-a,r[1]=f*l+h*-a+d*-o-u*-c,r[2]=d*l+h*-c+u*-a-f*-o,r[3]=e[3],r}function e6(r){return r[0]=0,r[1]=0,r[2]=0,r[3]=0,r}function t6(r){return`vec4(${r[0]}, ${r[1]}, ${r[2]}, ${r[3]})`}function w2(r,e){return r[0]===e[0]&&r[1]===e[1]&&r[2]===e[2]&&r[3]===e[3]}function r6(r,e){let t=r[0],n=r[1],i=r[2],s=r[3],o=e[0],a=e[1],c=e[2],l=e[3];return Math.abs(t-o)<=1e-6*Math.max(1,Math.abs(t),Math.abs(o))&&Math.abs(n-a)<=1e-6*Math.max(1,Math.abs(n),Math.abs(a))&&Math.abs(i-c)<=1e-6*Math.max(1,Math.abs(i),Math.abs(c))&&Math.abs(s-l)<=1e-6*Math.max(1,Math.abs(s),Math.abs(l))}var n6,i6,s6,o6,a6,c6,l6,u6,Zf=P(()=>{Ss();n6=h2,i6=p2,s6=m2,o6=b2,a6=y2,c6=Sb,l6=Tb,u6=(function(){let r=a2();return function(e,t,n,i,s,o){let a,c;for(t||(t=4),n||(n=0),i?c=Math.min(i*t+n,e.length):c=e.length,a=n;a<c;a+=t)r[0]=e[a],r[1]=e[a+1],r[2]=e[a+2],r[3]=e[a+3],s(r,r,o),e[a]=r[0],e[a+1]=r[1],e[a+2]=r[2],e[a+3]=r[3];return e}})()});function p6(){return Kf||(Kf=new Qe([0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]),Object.freeze(Kf)),Kf}function m6(){return Qf||(Qf=new Qe,Object.freeze(Qf)),Qf}function v2(r){if(r>Math.PI*2)throw Error("expected radians")}function g6(r,e,t,n,i,s){let o=2*s/(t-e),a=2*s/(i-n),c=(t+e)/(t-e),l=(i+n)/(i-n),u=-1,f=-1,d=-2*s;return r[0]=o,r[1]=0,r[2]=0,r[3]=0,r[4]=0,r[5]=a,r[6]=0,r[7]=0,r[8]=c,r[9]=l,r[10]=u,r[11]=f,r[12]=0,r[13]=0,r[14]=d,r[15]=0,r}var Cb,f6,d6,Lb,Mb,h6,Qe,Kf,Qf,E2=P(()=>{QE();Uc();Qg();Eb();Kg();$c();Zf();(function(r){r[r.COL0ROW0=0]="COL0ROW0",r[r.COL0ROW1=1]="COL0ROW1",r[r.COL0ROW2=2]="COL0ROW2",r[r.COL0ROW3=3]="COL0ROW3",r[r.COL1ROW0=4]="COL1ROW0",r[r.COL1ROW1=5]="COL1ROW1",r[r.COL1ROW2=6]="COL1ROW2",r[r.COL1ROW3=7]="COL1ROW3",r[r.COL2ROW0=8]="COL2ROW0",r[r.COL2ROW1=9]="COL2ROW1",r[r.COL2ROW2=10]="COL2ROW2",r[r.COL2ROW3=11]="COL2ROW3",r[r.COL3ROW0=12]="COL3ROW0",r[r.COL3ROW1=13]="COL3ROW1",r[r.COL3ROW2=14]="COL3ROW2",r[r.COL3ROW3=15]="COL3ROW3"})(Cb||(Cb={}));f6=45*Math.PI/180,d6=1,Lb=.1,Mb=500,h6=Object.freeze([1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]),Qe=class extends Xf{static get IDENTITY(){return m6()}static get ZERO(){return p6()}get ELEMENTS(){return 16}get RANK(){return 4}get INDICES(){return Cb}constructor(e){super(-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0),arguments.length===1&&Array.isArray(e)?this.copy(e):this.identity()}copy(e){return this[0]=e[0],this[1]=e[1],this[2]=e[2],this[3]=e[3],this[4]=e[4],this[5]=e[5],this[6]=e[6],this[7]=e[7],this[8]=e[8],this[9]=e[9],this[10]=e[10],this[11]=e[11],this[12]=e[12],this[13]=e[13],this[14]=e[14],this[15]=e[15],this.check()}set(e,t,n,i,s,o,a,c,l,u,f,d,h,p,m,b){return this[0]=e,this[1]=t,this[2]=n,this[3]=i,this[4]=s,this[5]=o,this[6]=a,this[7]=c,this[8]=l,this[9]=u,this[10]=f,this[11]=d,this[12]=h,this[13]=p,this[14]=m,this[15]=b,this.check()}setRowMajor(e,t,n,i,s,o,a,c,l,u,f,d,h,p,m,b){return this[0]=e,this[1]=s,this[2]=l,this[3]=h,this[4]=t,this[5]=o,this[6]=u,this[7]=p,this[8]=n,this[9]=a,this[10]=f,this[11]=m,this[12]=i,this[13]=c,this[14]=d,this[15]=b,this.check()}toRowMajor(e){return e[0]=this[0],e[1]=this[4],e[2]=this[8],e[3]=this[12],e[4]=this[1],e[5]=this[5],e[6]=this[9],e[7]=this[13],e[8]=this[2],e[9]=this[6],e[10]=this[10],e[11]=this[14],e[12]=this[3],e[13]=this[7],e[14]=this[11],e[15]=this[15],e}identity(){return this.copy(h6)}fromObject(e){return this.check()}fromQuaternion(e){return yb(this,e),this.check()}frustum(e){let{left:t,right:n,bottom:i,top:s,near:o=Lb,far:a=Mb}=e;return a===1/0?g6(this,t,n,i,s,o):_b(this,t,n,i,s,o,a),this.check()}lookAt(e){let{eye:t,center:n=[0,0,0],up:i=[0,1,0]}=e;return vb(this,t,n,i),this.check()}ortho(e){let{left:t,right:n,bottom:i,top:s,near:o=Lb,far:a=Mb}=e;return wb(this,t,n,i,s,o,a),this.check()}orthographic(e){let{fovy:t=f6,aspect:n=d6,focalDistance:i=1,near:s=Lb,far:o=Mb}=e;v2(t);let a=t/2,c=i*Math.tan(a),l=c*n;return this.ortho({left:-l,right:l,bottom:-c,top:c,near:s,far:o})}perspective(e){let{fovy:t=45*Math.PI/180,aspect:n=1,near:i=.1,far:s=500}=e;return v2(t),xb(this,t,n,i,s),this.check()}determinant(){return fb(this)}getScale(e=[-0,-0,-0]){return e[0]=Math.sqrt(this[0]*this[0]+this[1]*this[1]+this[2]*this[2]),e[1]=Math.sqrt(this[4]*this[4]+this[5]*this[5]+this[6]*this[6]),e[2]=Math.sqrt(this[8]*this[8]+this[9]*this[9]+this[10]*this[10]),e}getTranslation(e=[-0,-0,-0]){return e[0]=this[12],e[1]=this[13],e[2]=this[14],e}getRotation(e,t){e=e||[-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0],t=t||[-0,-0,-0];let n=this.getScale(t),i=1/n[0],s=1/n[1],o=1/n[2];return e[0]=this[0]*i,e[1]=this[1]*s,e[2]=this[2]*o,e[3]=0,e[4]=this[4]*i,e[5]=this[5]*s,e[6]=this[6]*o,e[7]=0,e[8]=this[8]*i,e[9]=this[9]*s,e[10]=this[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,e}getRotationMatrix3(e,t){e=e||[-0,-0,-0,-0,-0,-0,-0,-0,-0],t=t||[-0,-0,-0];let n=this.getScale(t),i=1/n[0],s=1/n[1],o=1/n[2];return e[0]=this[0]*i,e[1]=this[1]*s,e[2]=this[2]*o,e[3]=this[4]*i,e[4]=this[5]*s,e[5]=this[6]*o,e[6]=this[8]*i,e[7]=this[9]*s,e[8]=this[10]*o,e}transpose(){return lb(this,this),this.check()}invert(){return ub(this,this),this.check()}multiplyLeft(e){return Vc(this,e,this),this.check()}multiplyRight(e){return Vc(this,this,e),this.check()}rotateX(e){return mb(this,this,e),this.check()}rotateY(e){return gb(this,this,e),this.check()}rotateZ(e){return bb(this,this,e),this.check()}rotateXYZ(e){return this.rotateX(e[0]).rotateY(e[1]).rotateZ(e[2])}rotateAxis(e,t){return pb(this,this,e,t),this.check()}scale(e){return hb(this,this,Array.isArray(e)?e:[e,e,e]),this.check()}translate(e){return db(this,this,e),this.check()}transform(e,t){return e.length===4?(t=Ab(t||[-0,-0,-0,-0],e,this),Vf(t,4),t):this.transformAsPoint(e,t)}transformAsPoint(e,t){let{length:n}=e,i;switch(n){case 2:i=Zg(t||[-0,-0],e,this);break;case 3:i=Gc(t||[-0,-0,-0],e,this);break;default:throw new Error("Illegal vector")}return Vf(i,e.length),i}transformAsVector(e,t){let n;switch(e.length){case 2:n=$E(t||[-0,-0],e,this);break;case 3:n=jf(t||[-0,-0,-0],e,this);break;default:throw new Error("Illegal vector")}return Vf(n,e.length),n}transformPoint(e,t){return this.transformAsPoint(e,t)}transformVector(e,t){return this.transformAsPoint(e,t)}transformDirection(e,t){return this.transformAsVector(e,t)}makeRotationX(e){return this.identity().rotateX(e)}makeTranslation(e,t,n){return this.identity().translate([e,t,n])}}});function S2(){let r=new Te(4);return Te!=Float32Array&&(r[0]=0,r[1]=0,r[2]=0),r[3]=1,r}function b6(r,e,t){t=t*.5;let n=Math.sin(t);return r[0]=n*e[0],r[1]=n*e[1],r[2]=n*e[2],r[3]=Math.cos(t),r}function Rb(r,e,t,n){let i=e[0],s=e[1],o=e[2],a=e[3],c=t[0],l=t[1],u=t[2],f=t[3],d,h,p,m,b;return d=i*c+s*l+o*u+a*f,d<0&&(d=-d,c=-c,l=-l,u=-u,f=-f),1-d>1e-6?(h=Math.acos(d),b=Math.sin(h),p=Math.sin((1-n)*h)/b,m=Math.sin(n*h)/b):(p=1-n,m=n),r[0]=p*i+m*c,r[1]=p*s+m*l,r[2]=p*o+m*u,r[3]=p*a+m*f,r}function y6(r,e){let t=e[0]+e[4]+e[8],n;if(t>0)n=Math.sqrt(t+1),r[3]=.5*n,n=.5/n,r[0]=(e[5]-e[7])*n,r[1]=(e[6]-e[2])*n,r[2]=(e[1]-e[3])*n;else{let i=0;e[4]>e[0]&&(i=1),e[8]>e[i*3+i]&&(i=2);let s=(i+1)%3,o=(i+2)%3;n=Math.sqrt(e[i*3+i]-e[s*3+s]-e[o*3+o]+1),r[i]=.5*n,n=.5/n,r[3]=(e[s*3+o]-e[o*3+s])*n,r[s]=(e[s*3+i]+e[i*3+s])*n,r[o]=(e[o*3+i]+e[i*3+o])*n}return r}var T2,wX,vX,EX,P2=P(()=>{Ss();cb();$c();Zf();T2=Pb,wX=(function(){let r=Hf(),e=Yf(1,0,0),t=Yf(0,1,0);return function(n,i,s){let o=zc(i,s);return o<-.999999?(Ts(r,e,i),ob(r)<1e-6&&Ts(r,t,i),Jg(r,r),b6(n,r,Math.PI),n):o>.999999?(n[0]=0,n[1]=0,n[2]=0,n[3]=1,n):(Ts(r,i,s),n[0]=r[0],n[1]=r[1],n[2]=r[2],n[3]=1+o,T2(n,n))}})(),vX=(function(){let r=S2(),e=S2();return function(t,n,i,s,o,a){return Rb(r,n,o,a),Rb(e,i,s,a),Rb(t,r,e,2*a*(1-a)),t}})(),EX=(function(){let r=JE();return function(e,t,n,i){return r[0]=n[0],r[3]=n[1],r[6]=n[2],r[1]=i[0],r[4]=i[1],r[7]=i[2],r[2]=-t[0],r[5]=-t[1],r[8]=-t[2],T2(e,y6(e,r))}})()});var SX,TX,PX,AX,A2=P(()=>{SX=Math.PI/2,TX=Math.PI/4,PX=Math.PI/6,AX=Math.PI*2});var st=P(()=>{KE();E2();A2();Ho();cb();Eb();P2();Kg();$c();Zf()});function Ib(r,e=[],t=0){let n=Math.fround(r),i=r-n;return e[t]=n,e[t+1]=i,e}function L2(r){return r-Math.fround(r)}function M2(r){let e=new Float32Array(32);for(let t=0;t<4;++t)for(let n=0;n<4;++n){let i=t*4+n;Ib(r[n*4+t],e,i*2)}return e}var C2=P(()=>{});function R2(r,e=!0){return r??e}function w6(r=[0,0,0],e=!0){return e?r.map(t=>t/255):[...r]}function I2(r,e=!0){let t=w6(r.slice(0,3),e),n=Number.isFinite(r[3]),i=n?r[3]:1;return[t[0],t[1],t[2],e&&n?i/255:i]}var B2=P(()=>{});var v6,E6,As,k2=P(()=>{v6=`#ifdef LUMA_FP32_TAN_PRECISION_WORKAROUND

// All these functions are for substituting tan() function from Intel GPU only
const float TWO_PI = 6.2831854820251465;
const float PI_2 = 1.5707963705062866;
const float PI_16 = 0.1963495463132858;

const float SIN_TABLE_0 = 0.19509032368659973;
const float SIN_TABLE_1 = 0.3826834261417389;
const float SIN_TABLE_2 = 0.5555702447891235;
const float SIN_TABLE_3 = 0.7071067690849304;

const float COS_TABLE_0 = 0.9807852506637573;
const float COS_TABLE_1 = 0.9238795042037964;
const float COS_TABLE_2 = 0.8314695954322815;
const float COS_TABLE_3 = 0.7071067690849304;

const float INVERSE_FACTORIAL_3 = 1.666666716337204e-01; // 1/3!
const float INVERSE_FACTORIAL_5 = 8.333333767950535e-03; // 1/5!
const float INVERSE_FACTORIAL_7 = 1.9841270113829523e-04; // 1/7!
const float INVERSE_FACTORIAL_9 = 2.75573188446287533e-06; // 1/9!

float sin_taylor_fp32(float a) {
  float r, s, t, x;

  if (a == 0.0) {
    return 0.0;
  }

  x = -a * a;
  s = a;
  r = a;

  r = r * x;
  t = r * INVERSE_FACTORIAL_3;
  s = s + t;

  r = r * x;
  t = r * INVERSE_FACTORIAL_5;
  s = s + t;

  r = r * x;
  t = r * INVERSE_FACTORIAL_7;
  s = s + t;

  r = r * x;
  t = r * INVERSE_FACTORIAL_9;
  s = s + t;

  return s;
}

void sincos_taylor_fp32(float a, out float sin_t, out float cos_t) {
  if (a == 0.0) {
    sin_t = 0.0;
    cos_t = 1.0;
  }
  sin_t = sin_taylor_fp32(a);
  cos_t = sqrt(1.0 - sin_t * sin_t);
}

float tan_taylor_fp32(float a) {
    float sin_a;
    float cos_a;

    if (a == 0.0) {
        return 0.0;
    }

    // 2pi range reduction
    float z = floor(a / TWO_PI);
    float r = a - TWO_PI * z;

    float t;
    float q = floor(r / PI_2 + 0.5);
    int j = int(q);

    if (j < -2 || j > 2) {
        return 1.0 / 0.0;
    }

    t = r - PI_2 * q;

    q = floor(t / PI_16 + 0.5);
    int k = int(q);
    int abs_k = int(abs(float(k)));

    if (abs_k > 4) {
        return 1.0 / 0.0;
    } else {
        t = t - PI_16 * q;
    }

    float u = 0.0;
    float v = 0.0;

    float sin_t, cos_t;
    float s, c;
    sincos_taylor_fp32(t, sin_t, cos_t);

    if (k == 0) {
        s = sin_t;
        c = cos_t;
    } else {
        if (abs(float(abs_k) - 1.0) < 0.5) {
            u = COS_TABLE_0;
            v = SIN_TABLE_0;
        } else if (abs(float(abs_k) - 2.0) < 0.5) {
            u = COS_TABLE_1;
            v = SIN_TABLE_1;
        } else if (abs(float(abs_k) - 3.0) < 0.5) {
            u = COS_TABLE_2;
            v = SIN_TABLE_2;
        } else if (abs(float(abs_k) - 4.0) < 0.5) {
            u = COS_TABLE_3;
            v = SIN_TABLE_3;
        }
        if (k > 0) {
            s = u * sin_t + v * cos_t;
            c = u * cos_t - v * sin_t;
        } else {
            s = u * sin_t - v * cos_t;
            c = u * cos_t + v * sin_t;
        }
    }

    if (j == 0) {
        sin_a = s;
        cos_a = c;
    } else if (j == 1) {
        sin_a = c;
        cos_a = -s;
    } else if (j == -1) {
        sin_a = -c;
        cos_a = s;
    } else {
        sin_a = -s;
        cos_a = -c;
    }
    return sin_a / cos_a;
}
#endif

float tan_fp32(float a) {
#ifdef LUMA_FP32_TAN_PRECISION_WORKAROUND
  return tan_taylor_fp32(a);
#else
  return tan(a);
#endif
}
`,E6=`#ifdef LUMA_FP32_TAN_PRECISION_WORKAROUND
const FP32_TWO_PI: f32 = 6.2831854820251465;
const FP32_PI_2: f32 = 1.5707963705062866;
const FP32_PI_16: f32 = 0.1963495463132858;

const FP32_SIN_TABLE_0: f32 = 0.19509032368659973;
const FP32_SIN_TABLE_1: f32 = 0.3826834261417389;
const FP32_SIN_TABLE_2: f32 = 0.5555702447891235;
const FP32_SIN_TABLE_3: f32 = 0.7071067690849304;

const FP32_COS_TABLE_0: f32 = 0.9807852506637573;
const FP32_COS_TABLE_1: f32 = 0.9238795042037964;
const FP32_COS_TABLE_2: f32 = 0.8314695954322815;
const FP32_COS_TABLE_3: f32 = 0.7071067690849304;

const FP32_INVERSE_FACTORIAL_3: f32 = 1.666666716337204e-01;
const FP32_INVERSE_FACTORIAL_5: f32 = 8.333333767950535e-03;
const FP32_INVERSE_FACTORIAL_7: f32 = 1.9841270113829523e-04;
const FP32_INVERSE_FACTORIAL_9: f32 = 2.75573188446287533e-06;
const FP32_OVERFLOW: f32 = 3.402823466e+38;

fn sin_taylor_fp32(a: f32) -> f32 {
  if (a == 0.0) {
    return 0.0;
  }

  let x = -a * a;
  var sum = a;
  var term = a;

  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_3;
  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_5;
  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_7;
  term = term * x;
  sum = sum + term * FP32_INVERSE_FACTORIAL_9;

  return sum;
}

fn tan_taylor_fp32(a: f32) -> f32 {
  if (a == 0.0) {
    return 0.0;
  }

  let z = floor(a / FP32_TWO_PI);
  let reduced = a - FP32_TWO_PI * z;

  var quadrantValue = floor(reduced / FP32_PI_2 + 0.5);
  let quadrant = i32(quadrantValue);
  if (quadrant < -2 || quadrant > 2) {
    return FP32_OVERFLOW;
  }

  var angle = reduced - FP32_PI_2 * quadrantValue;
  quadrantValue = floor(angle / FP32_PI_16 + 0.5);
  let tableIndex = i32(quadrantValue);
  let absoluteTableIndex = abs(tableIndex);
  if (absoluteTableIndex > 4) {
    return FP32_OVERFLOW;
  }

  angle = angle - FP32_PI_16 * quadrantValue;
  let sinAngle = sin_taylor_fp32(angle);
  let cosAngle = sqrt(1.0 - sinAngle * sinAngle);

  var tableCos = 0.0;
  var tableSin = 0.0;
  if (absoluteTableIndex == 1) {
    tableCos = FP32_COS_TABLE_0;
    tableSin = FP32_SIN_TABLE_0;
  } else if (absoluteTableIndex == 2) {
    tableCos = FP32_COS_TABLE_1;
    tableSin = FP32_SIN_TABLE_1;
  } else if (absoluteTableIndex == 3) {
    tableCos = FP32_COS_TABLE_2;
    tableSin = FP32_SIN_TABLE_2;
  } else if (absoluteTableIndex == 4) {
    tableCos = FP32_COS_TABLE_3;
    tableSin = FP32_SIN_TABLE_3;
  }

  var sinReduced = sinAngle;
  var cosReduced = cosAngle;
  if (tableIndex > 0) {
    sinReduced = tableCos * sinAngle + tableSin * cosAngle;
    cosReduced = tableCos * cosAngle - tableSin * sinAngle;
  } else if (tableIndex < 0) {
    sinReduced = tableCos * sinAngle - tableSin * cosAngle;
    cosReduced = tableCos * cosAngle + tableSin * sinAngle;
  }

  var sinValue = 0.0;
  var cosValue = 0.0;
  if (quadrant == 0) {
    sinValue = sinReduced;
    cosValue = cosReduced;
  } else if (quadrant == 1) {
    sinValue = cosReduced;
    cosValue = -sinReduced;
  } else if (quadrant == -1) {
    sinValue = -cosReduced;
    cosValue = sinReduced;
  } else {
    sinValue = -sinReduced;
    cosValue = -cosReduced;
  }

  return sinValue / cosValue;
}

fn tan_fp32(a: f32) -> f32 {
  return tan_taylor_fp32(a);
}
#else
fn tan_fp32(a: f32) -> f32 {
  return tan(a);
}
#endif
`,As={name:"fp32",source:E6,vs:v6}});var Bb,O2=P(()=>{Bb=`
layout(std140) uniform fp64arithmeticUniforms {
  uniform float ONE;
  uniform float SPLIT;
} fp64;

/*
About LUMA_FP64_CODE_ELIMINATION_WORKAROUND

The purpose of this workaround is to prevent shader compilers from
optimizing away necessary arithmetic operations by swapping their sequences
or transform the equation to some 'equivalent' form.

These helpers implement Dekker/Veltkamp-style error tracking. If the compiler
folds constants or reassociates the arithmetic, the high/low split can stop
tracking the rounding error correctly. That failure mode tends to look fine in
simple coordinate setup, but then breaks down inside iterative arithmetic such
as fp64 Mandelbrot loops.

The method is to multiply an artifical variable, ONE, which will be known to
the compiler to be 1 only at runtime. The whole expression is then represented
as a polynomial with respective to ONE. In the coefficients of all terms, only one a
and one b should appear

err = (a + b) * ONE^6 - a * ONE^5 - (a + b) * ONE^4 + a * ONE^3 - b - (a + b) * ONE^2 + a * ONE
*/

float prevent_fp64_optimization(float value) {
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  return value + fp64.ONE * 0.0;
#else
  return value;
#endif
}

// Divide float number to high and low floats to extend fraction bits
vec2 split(float a) {
  // Keep SPLIT as a runtime uniform so the compiler cannot fold the Dekker
  // split into a constant expression and reassociate the recovery steps.
  float split = prevent_fp64_optimization(fp64.SPLIT);
  float t = prevent_fp64_optimization(a * split);
  float temp = t - a;
  float a_hi = t - temp;
  float a_lo = a - a_hi;
  return vec2(a_hi, a_lo);
}

// Divide float number again when high float uses too many fraction bits
vec2 split2(vec2 a) {
  vec2 b = split(a.x);
  b.y += a.y;
  return b;
}

// Special sum operation when a > b
vec2 quickTwoSum(float a, float b) {
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float sum = (a + b) * fp64.ONE;
  float err = b - (sum - a) * fp64.ONE;
#else
  float sum = a + b;
  float err = b - (sum - a);
#endif
  return vec2(sum, err);
}

// General sum operation
vec2 twoSum(float a, float b) {
  float s = (a + b);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float v = (s * fp64.ONE - a) * fp64.ONE;
  float err = (a - (s - v) * fp64.ONE) * fp64.ONE * fp64.ONE * fp64.ONE + (b - v);
#else
  float v = s - a;
  float err = (a - (s - v)) + (b - v);
#endif
  return vec2(s, err);
}

vec2 twoSub(float a, float b) {
  float s = (a - b);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float v = (s * fp64.ONE - a) * fp64.ONE;
  float err = (a - (s - v) * fp64.ONE) * fp64.ONE * fp64.ONE * fp64.ONE - (b + v);
#else
  float v = s - a;
  float err = (a - (s - v)) - (b + v);
#endif
  return vec2(s, err);
}

vec2 twoSqr(float a) {
  float prod = a * a;
  vec2 a_fp64 = split(a);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float err = ((a_fp64.x * a_fp64.x - prod) * fp64.ONE + 2.0 * a_fp64.x *
    a_fp64.y * fp64.ONE * fp64.ONE) + a_fp64.y * a_fp64.y * fp64.ONE * fp64.ONE * fp64.ONE;
#else
  float err = ((a_fp64.x * a_fp64.x - prod) + 2.0 * a_fp64.x * a_fp64.y) + a_fp64.y * a_fp64.y;
#endif
  return vec2(prod, err);
}

vec2 twoProd(float a, float b) {
  float prod = a * b;
  vec2 a_fp64 = split(a);
  vec2 b_fp64 = split(b);
  // twoProd is especially sensitive because mul_fp64 and div_fp64 both depend
  // on the split terms and cross terms staying in the original evaluation
  // order. If the compiler folds or reassociates them, the low part tends to
  // collapse to zero or NaN on some drivers.
  float highProduct = prevent_fp64_optimization(a_fp64.x * b_fp64.x);
  float crossProduct1 = prevent_fp64_optimization(a_fp64.x * b_fp64.y);
  float crossProduct2 = prevent_fp64_optimization(a_fp64.y * b_fp64.x);
  float lowProduct = prevent_fp64_optimization(a_fp64.y * b_fp64.y);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float err1 = (highProduct - prod) * fp64.ONE;
  float err2 = crossProduct1 * fp64.ONE * fp64.ONE;
  float err3 = crossProduct2 * fp64.ONE * fp64.ONE * fp64.ONE;
  float err4 = lowProduct * fp64.ONE * fp64.ONE * fp64.ONE * fp64.ONE;
#else
  float err1 = highProduct - prod;
  float err2 = crossProduct1;
  float err3 = crossProduct2;
  float err4 = lowProduct;
#endif
  float err = ((err1 + err2) + err3) + err4;
  return vec2(prod, err);
}

vec2 sum_fp64(vec2 a, vec2 b) {
  vec2 s, t;
  s = twoSum(a.x, b.x);
  t = twoSum(a.y, b.y);
  s.y += t.x;
  s = quickTwoSum(s.x, s.y);
  s.y += t.y;
  s = quickTwoSum(s.x, s.y);
  return s;
}

vec2 sub_fp64(vec2 a, vec2 b) {
  vec2 s, t;
  s = twoSub(a.x, b.x);
  t = twoSub(a.y, b.y);
  s.y += t.x;
  s = quickTwoSum(s.x, s.y);
  s.y += t.y;
  s = quickTwoSum(s.x, s.y);
  return s;
}

vec2 mul_fp64(vec2 a, vec2 b) {
  vec2 prod = twoProd(a.x, b.x);
  // y component is for the error
  prod.y += a.x * b.y;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  prod.y += a.y * b.x;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  return prod;
}

vec2 div_fp64(vec2 a, vec2 b) {
  float xn = 1.0 / b.x;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  vec2 yn = mul_fp64(a, vec2(xn, 0));
#else
  vec2 yn = a * xn;
#endif
  float diff = (sub_fp64(a, mul_fp64(b, yn))).x;
  vec2 prod = twoProd(xn, diff);
  return sum_fp64(yn, prod);
}

vec2 sqrt_fp64(vec2 a) {
  if (a.x == 0.0 && a.y == 0.0) return vec2(0.0, 0.0);
  if (a.x < 0.0) return vec2(0.0 / 0.0, 0.0 / 0.0);

  float x = 1.0 / sqrt(a.x);
  float yn = a.x * x;
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  vec2 yn_sqr = twoSqr(yn) * fp64.ONE;
#else
  vec2 yn_sqr = twoSqr(yn);
#endif
  float diff = sub_fp64(a, yn_sqr).x;
  vec2 prod = twoProd(x * 0.5, diff);
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  return sum_fp64(split(yn), prod);
#else
  return sum_fp64(vec2(yn, 0.0), prod);
#endif
}
`});var D2,N2=P(()=>{D2=`struct Fp64F32Bits {
  sign: u32,
  baseExponent: i32,
  significand: u32,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};

// Decode an f32 as (-1)^sign * significand * 2^baseExponent.
fn fp64_decode_f32_bits(bits: u32) -> Fp64F32Bits {
  let sign = bits >> 31u;
  let exponentBits = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;

  if (exponentBits == 0xffu) {
    return Fp64F32Bits(sign, 0, 0u, false, fraction == 0u, fraction != 0u);
  }
  if (exponentBits == 0u) {
    return Fp64F32Bits(sign, -149, fraction, fraction == 0u, false, false);
  }
  return Fp64F32Bits(sign, i32(exponentBits) - 150, 0x800000u | fraction, false, false, false);
}

fn fp64_f32_magnitude_compare(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  return select(-1, 1, aMagnitude > bMagnitude);
}

fn fp64_make_residual_f32_bits(
  exactSign: u32,
  exactMagnitude: vec2u,
  exactBaseExponent: i32,
  highBits: u32
) -> u32 {
  if (fp64_u64_is_zero(exactMagnitude)) {
    return 0u;
  }

  let high = fp64_decode_f32_bits(highBits);
  if (high.isInf || high.isNan) {
    return exactSign << 31u;
  }
  if (high.isZero) {
    return fp64_make_f32_bits_from_u64(exactSign, exactMagnitude, exactBaseExponent);
  }

  let commonBaseExponent = min(exactBaseExponent, high.baseExponent);
  let exactShift = exactBaseExponent - commonBaseExponent;
  let highShift = high.baseExponent - commonBaseExponent;

  // A normal two-sum/two-product residual never needs a shift this large.
  // This guard gives deterministic underflow behavior outside that contract.
  if (exactShift >= 64 || highShift >= 64) {
    return exactSign << 31u;
  }

  let exactAligned = fp64_u64_shift_left(exactMagnitude, u32(exactShift));
  let highAligned = fp64_u64_shift_left(vec2u(0u, high.significand), u32(highShift));
  let comparison = fp64_u64_compare(exactAligned, highAligned);
  if (comparison == 0) {
    return 0u;
  }

  var residualSign = exactSign;
  var residualMagnitude: vec2u;
  if (comparison > 0) {
    residualMagnitude = fp64_u64_sub(exactAligned, highAligned);
  } else {
    residualSign = exactSign ^ 1u;
    residualMagnitude = fp64_u64_sub(highAligned, exactAligned);
  }
  return fp64_make_f32_bits_from_u64(
    residualSign,
    residualMagnitude,
    commonBaseExponent
  );
}

fn fp64_split_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  let highBits = fp64_make_f32_bits_from_u64(sign, magnitude, baseExponent);
  let lowBits = fp64_make_residual_f32_bits(sign, magnitude, baseExponent, highBits);
  return vec2u(highBits, lowBits);
}

fn fp64_two_sum_integer_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_f32_bits(aBits);
  let b = fp64_decode_f32_bits(bBits);

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    if (a.isInf && b.isInf && a.sign != b.sign) {
      return vec2u(0x7fc00000u, 0u);
    }
    return select(vec2u(bBits, 0u), vec2u(aBits, 0u), a.isInf);
  }
  if (a.isZero && b.isZero) {
    return vec2u((a.sign & b.sign) << 31u, 0u);
  }
  if (a.isZero) {
    return vec2u(bBits, 0u);
  }
  if (b.isZero) {
    return vec2u(aBits, 0u);
  }

  let exponentDifference = select(
    b.baseExponent - a.baseExponent,
    a.baseExponent - b.baseExponent,
    a.baseExponent >= b.baseExponent
  );

  // Beyond half an ulp, rounding cannot change the larger operand. Returning
  // the smaller operand intact also avoids an unbounded integer alignment.
  // At a power-of-two boundary the spacing below the larger operand is half
  // the spacing above it, so an opposite-sign gap-25 operand can still change
  // the rounded high limb. Gap 26 is the first universally safe early-out.
  if (exponentDifference > 25) {
    if (fp64_f32_magnitude_compare(aBits, bBits) >= 0) {
      return vec2u(aBits, bBits);
    }
    return vec2u(bBits, aBits);
  }

  let commonBaseExponent = min(a.baseExponent, b.baseExponent);
  let aMagnitude = fp64_u64_shift_left(
    vec2u(0u, a.significand),
    u32(a.baseExponent - commonBaseExponent)
  );
  let bMagnitude = fp64_u64_shift_left(
    vec2u(0u, b.significand),
    u32(b.baseExponent - commonBaseExponent)
  );

  var resultSign = a.sign;
  var resultMagnitude: vec2u;
  if (a.sign == b.sign) {
    resultMagnitude = fp64_u64_add(aMagnitude, bMagnitude);
  } else {
    let comparison = fp64_u64_compare(aMagnitude, bMagnitude);
    if (comparison == 0) {
      return vec2u(0u, 0u);
    }
    if (comparison > 0) {
      resultMagnitude = fp64_u64_sub(aMagnitude, bMagnitude);
    } else {
      resultSign = b.sign;
      resultMagnitude = fp64_u64_sub(bMagnitude, aMagnitude);
    }
  }

  return fp64_split_accumulator_bits(resultSign, resultMagnitude, commonBaseExponent);
}

fn fp64_two_sum_integer(a: f32, b: f32) -> vec2f {
  let resultBits = fp64_two_sum_integer_bits(bitcast<u32>(a), bitcast<u32>(b));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn fp64_multiply_significands(a: u32, b: u32) -> vec2u {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let lowProduct = aLow * bLow;
  let crossProduct = aLow * bHigh + aHigh * bLow;
  let highProduct = aHigh * bHigh;

  var result = vec2u(0u, lowProduct);
  result = fp64_u64_add(
    result,
    fp64_u64_shift_left(vec2u(0u, crossProduct), 16u)
  );
  result = fp64_u64_add(result, vec2u(highProduct, 0u));
  return result;
}

fn fp64_two_prod_integer_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_f32_bits(aBits);
  let b = fp64_decode_f32_bits(bBits);
  let resultSign = a.sign ^ b.sign;

  if (a.isNan || b.isNan || ((a.isZero || b.isZero) && (a.isInf || b.isInf))) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    return vec2u((resultSign << 31u) | 0x7f800000u, resultSign << 31u);
  }
  if (a.isZero || b.isZero) {
    return vec2u(resultSign << 31u, resultSign << 31u);
  }

  let magnitude = fp64_multiply_significands(a.significand, b.significand);
  return fp64_split_accumulator_bits(
    resultSign,
    magnitude,
    a.baseExponent + b.baseExponent
  );
}

fn fp64_two_prod_integer(a: f32, b: f32) -> vec2f {
  let resultBits = fp64_two_prod_integer_bits(bitcast<u32>(a), bitcast<u32>(b));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn fp64_round_add_integer(a: f32, b: f32) -> f32 {
  return fp64_two_sum_integer(a, b).x;
}

fn fp64_round_mul_integer(a: f32, b: f32) -> f32 {
  return fp64_two_prod_integer(a, b).x;
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_f32_finite_exponent(value: Fp64F32Bits) -> i32 {
  let mostSignificantBit = 31u - countLeadingZeros(value.significand);
  return value.baseExponent + i32(mostSignificantBit);
}

fn fp64_scale_f32_integer(value: f32, exponent: i32) -> f32 {
  let decoded = fp64_decode_f32_bits(bitcast<u32>(value));
  if (decoded.isZero || decoded.isInf || decoded.isNan) {
    return value;
  }
  let resultBits = fp64_make_f32_bits_from_u64(
    decoded.sign,
    vec2u(0u, decoded.significand),
    decoded.baseExponent + exponent
  );
  return bitcast<f32>(resultBits);
}

// Divide normalized significands so the hardware operation cannot overflow,
// underflow, or flush a subnormal result. Reapply the exponent with integer
// packing, which also produces subnormal correction limbs without relying on
// floating-point arithmetic to preserve them.
fn fp64_divide_f32_integer(aValue: f32, bValue: f32) -> f32 {
  let a = fp64_decode_f32_bits(bitcast<u32>(aValue));
  let b = fp64_decode_f32_bits(bitcast<u32>(bValue));
  if (a.isZero || b.isZero || a.isInf || b.isInf || a.isNan || b.isNan) {
    return aValue / bValue;
  }

  let aMostSignificantBit = 31u - countLeadingZeros(a.significand);
  let bMostSignificantBit = 31u - countLeadingZeros(b.significand);
  let normalizedABits = fp64_make_f32_bits_from_u64(
    a.sign,
    vec2u(0u, a.significand),
    -i32(aMostSignificantBit)
  );
  let normalizedBBits = fp64_make_f32_bits_from_u64(
    b.sign,
    vec2u(0u, b.significand),
    -i32(bMostSignificantBit)
  );
  let normalizedQuotient = bitcast<f32>(normalizedABits) / bitcast<f32>(normalizedBBits);
  let quotient = fp64_decode_f32_bits(bitcast<u32>(normalizedQuotient));
  let exponentShift =
    a.baseExponent + i32(aMostSignificantBit) -
    b.baseExponent - i32(bMostSignificantBit);
  let quotientBits = fp64_make_f32_bits_from_u64(
    quotient.sign,
    vec2u(0u, quotient.significand),
    quotient.baseExponent + exponentShift
  );
  return bitcast<f32>(quotientBits);
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn split(a: f32) -> vec2f {
  let aBits = bitcast<u32>(a);
  let decoded = fp64_decode_f32_bits(aBits);
  if (decoded.isZero || decoded.isInf || decoded.isNan) {
    return vec2f(a, 0.0);
  }

  var roundedHigh = decoded.significand >> 12u;
  let remainder = decoded.significand & 0xfffu;
  if (remainder > 0x800u || (remainder == 0x800u && (roundedHigh & 1u) == 1u)) {
    roundedHigh = roundedHigh + 1u;
  }
  var highMagnitude = vec2u(0u, roundedHigh << 12u);
  var highBits = fp64_make_f32_bits_from_u64(
    decoded.sign,
    highMagnitude,
    decoded.baseExponent
  );
  // Rounding the high limb of a maximum-exponent value can overflow even
  // though the original value is finite. Truncate only in that boundary case
  // so split remains an exact finite decomposition.
  if (fp64_decode_f32_bits(highBits).isInf) {
    roundedHigh = decoded.significand >> 12u;
    highMagnitude = vec2u(0u, roundedHigh << 12u);
    highBits = fp64_make_f32_bits_from_u64(
      decoded.sign,
      highMagnitude,
      decoded.baseExponent
    );
  }
  let lowBits = fp64_make_residual_f32_bits(
    decoded.sign,
    vec2u(0u, decoded.significand),
    decoded.baseExponent,
    highBits
  );
  return vec2f(bitcast<f32>(highBits), bitcast<f32>(lowBits));
}

fn split2(a: vec2f) -> vec2f {
  var result = split(a.x);
  result.y = fp64_round_add_integer(result.y, a.y);
  return result;
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn quickTwoSum(a: f32, b: f32) -> vec2f {
  return fp64_two_sum_integer(a, b);
}
#endif

fn twoSum(a: f32, b: f32) -> vec2f {
  return fp64_two_sum_integer(a, b);
}

fn twoSub(a: f32, b: f32) -> vec2f {
  let bBits = bitcast<u32>(b) ^ 0x80000000u;
  let resultBits = fp64_two_sum_integer_bits(bitcast<u32>(a), bBits);
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn twoSqr(a: f32) -> vec2f {
  return fp64_two_prod_integer(a, a);
}

fn twoProd(a: f32, b: f32) -> vec2f {
  return fp64_two_prod_integer(a, b);
}
#endif

fn sum_fp64(a: vec2f, b: vec2f) -> vec2f {
  var sum = fp64_two_sum_integer(a.x, b.x);
  let lowSum = fp64_two_sum_integer(a.y, b.y);
  sum.y = fp64_round_add_integer(sum.y, lowSum.x);
  sum = fp64_two_sum_integer(sum.x, sum.y);
  sum.y = fp64_round_add_integer(sum.y, lowSum.y);
  return fp64_two_sum_integer(sum.x, sum.y);
}

fn sub_fp64(a: vec2f, b: vec2f) -> vec2f {
  let negatedB = vec2f(
    bitcast<f32>(bitcast<u32>(b.x) ^ 0x80000000u),
    bitcast<f32>(bitcast<u32>(b.y) ^ 0x80000000u)
  );
  return sum_fp64(a, negatedB);
}

fn mul_fp64(a: vec2f, b: vec2f) -> vec2f {
  var product = fp64_two_prod_integer(a.x, b.x);
  let crossProduct1 = fp64_round_mul_integer(a.x, b.y);
  product.y = fp64_round_add_integer(product.y, crossProduct1);
  product = fp64_two_sum_integer(product.x, product.y);
  let crossProduct2 = fp64_round_mul_integer(a.y, b.x);
  product.y = fp64_round_add_integer(product.y, crossProduct2);
  return fp64_two_sum_integer(product.x, product.y);
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_scale_fp64_integer(value: vec2f, exponent: i32) -> vec2f {
  let high = fp64_scale_f32_integer(value.x, exponent);
  let low = fp64_scale_f32_integer(value.y, exponent);
  return sum_fp64(vec2f(high, 0.0), vec2f(low, 0.0));
}

fn fp64_div_fp64_normalized(a: vec2f, b: vec2f) -> vec2f {
  let quotientHigh = fp64_divide_f32_integer(a.x, b.x);
  var quotient = vec2f(quotientHigh, 0.0);

  let remainder = sub_fp64(a, mul_fp64(b, quotient));
  let quotientLow = fp64_divide_f32_integer(remainder.x, b.x);
  quotient = sum_fp64(quotient, vec2f(quotientLow, 0.0));

  let secondRemainder = sub_fp64(a, mul_fp64(b, quotient));
  let correction = fp64_divide_f32_integer(secondRemainder.x, b.x);
  return sum_fp64(quotient, vec2f(correction, 0.0));
}

fn div_fp64(a: vec2f, b: vec2f) -> vec2f {
  let decodedA = fp64_decode_f32_bits(bitcast<u32>(a.x));
  let decodedB = fp64_decode_f32_bits(bitcast<u32>(b.x));
  if (
    decodedA.isZero || decodedB.isZero ||
    decodedA.isInf || decodedB.isInf ||
    decodedA.isNan || decodedB.isNan
  ) {
    return fp64_div_fp64_normalized(a, b);
  }

  let exponentA = fp64_f32_finite_exponent(decodedA);
  let exponentB = fp64_f32_finite_exponent(decodedB);
  // Correct the quotient near unity so b * q and the remainder stay clear of
  // both f32 underflow and overflow. The exponent difference is applied once.
  let normalizedA = fp64_scale_fp64_integer(a, -exponentA);
  let normalizedB = fp64_scale_fp64_integer(b, -exponentB);
  let normalizedQuotient = fp64_div_fp64_normalized(normalizedA, normalizedB);
  return fp64_scale_fp64_integer(normalizedQuotient, exponentA - exponentB);
}

fn fp64_sqrt_fp64_normalized(a: vec2f) -> vec2f {
  let estimate = sqrt(a.x);
  let difference = sub_fp64(a, fp64_two_prod_integer(estimate, estimate)).x;
  let denominator = fp64_round_add_integer(estimate, estimate);
  let correction = fp64_divide_f32_integer(difference, denominator);
  return sum_fp64(vec2f(estimate, 0.0), vec2f(correction, 0.0));
}

fn sqrt_fp64(a: vec2f) -> vec2f {
  let decoded = fp64_decode_f32_bits(bitcast<u32>(a.x));
  let decodedLow = fp64_decode_f32_bits(bitcast<u32>(a.y));
  if (decoded.isZero && decodedLow.isZero) {
    return vec2f(0.0, 0.0);
  }
  if (decoded.sign == 1u) {
    let nanValue = fp64_nan(a.x);
    return vec2f(nanValue, nanValue);
  }

  if (decoded.isInf || decoded.isNan) {
    return fp64_sqrt_fp64_normalized(a);
  }
  let exponent = fp64_f32_finite_exponent(decoded);
  // An even scale lets the final square-root rescale use an integer exponent.
  let evenExponent = exponent - (exponent & 1);
  let normalizedA = fp64_scale_fp64_integer(a, -evenExponent);
  let normalizedRoot = fp64_sqrt_fp64_normalized(normalizedA);
  return fp64_scale_fp64_integer(normalizedRoot, evenExponent / 2);
}
#endif
`});var F2,U2=P(()=>{N2();F2=`struct Fp64ArithmeticUniforms {
  ONE: f32,
  SPLIT: f32,
};

@group(0) @binding(auto) var<uniform> fp64arithmetic : Fp64ArithmeticUniforms;

#ifndef LUMA_FP64_F32_INPUT_ONLY
struct Fp64Bits {
  sign: u32,
  exponent: i32,
  significand: vec2u,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_nan(seed: f32) -> f32 {
  let nanBits = 0x7fc00000u | select(0u, 1u, seed < 0.0);
  return bitcast<f32>(nanBits);
}
#endif

fn fp64_u64_is_zero(value: vec2u) -> bool {
  return value.x == 0u && value.y == 0u;
}

fn fp64_u64_compare(a: vec2u, b: vec2u) -> i32 {
  if (a.x != b.x) {
    return select(-1, 1, a.x > b.x);
  }
  if (a.y != b.y) {
    return select(-1, 1, a.y > b.y);
  }
  return 0;
}

fn fp64_u64_add(a: vec2u, b: vec2u) -> vec2u {
  let low = a.y + b.y;
  let carry = select(0u, 1u, low < a.y);
  return vec2u(a.x + b.x + carry, low);
}

fn fp64_u64_sub(a: vec2u, b: vec2u) -> vec2u {
  let borrow = select(0u, 1u, a.y < b.y);
  return vec2u(a.x - b.x - borrow, a.y - b.y);
}

fn fp64_u64_shift_left(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }
  if (shift < 32u) {
    return vec2u((value.x << shift) | (value.y >> (32u - shift)), value.y << shift);
  }
  if (shift == 32u) {
    return vec2u(value.y, 0u);
  }
  if (shift < 64u) {
    return vec2u(value.y << (shift - 32u), 0u);
  }
  return vec2u(0u);
}

fn fp64_u64_shift_right(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }
  if (shift < 32u) {
    return vec2u(value.x >> shift, (value.y >> shift) | (value.x << (32u - shift)));
  }
  if (shift == 32u) {
    return vec2u(0u, value.x);
  }
  if (shift < 64u) {
    return vec2u(0u, value.x >> (shift - 32u));
  }
  return vec2u(0u);
}

fn fp64_u64_get_bit(value: vec2u, bitIndex: u32) -> bool {
  if (bitIndex >= 64u) {
    return false;
  }
  if (bitIndex >= 32u) {
    return ((value.x >> (bitIndex - 32u)) & 1u) != 0u;
  }
  return ((value.y >> bitIndex) & 1u) != 0u;
}

fn fp64_u64_has_bits_below(value: vec2u, bitCount: u32) -> bool {
  if (bitCount == 0u) {
    return false;
  }
  if (bitCount >= 64u) {
    return !fp64_u64_is_zero(value);
  }
  if (bitCount > 32u) {
    let highBitCount = bitCount - 32u;
    let highMask = (1u << highBitCount) - 1u;
    return value.y != 0u || (value.x & highMask) != 0u;
  }
  if (bitCount == 32u) {
    return value.y != 0u;
  }
  let lowMask = (1u << bitCount) - 1u;
  return (value.y & lowMask) != 0u;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_u64_shift_right_sticky(value: vec2u, shift: u32) -> vec2u {
  var shifted = fp64_u64_shift_right(value, shift);
  if (fp64_u64_has_bits_below(value, shift)) {
    shifted.y = shifted.y | 1u;
  }
  return shifted;
}
#endif

fn fp64_u64_count_leading_zeros(value: vec2u) -> u32 {
  if (value.x != 0u) {
    return countLeadingZeros(value.x);
  }
  return 32u + countLeadingZeros(value.y);
}

fn fp64_round_shift_right_to_u32(value: vec2u, shift: u32) -> u32 {
  if (shift == 0u) {
    return value.y;
  }

  let truncated = fp64_u64_shift_right(value, shift);
  var rounded = truncated.y;
  let guard = fp64_u64_get_bit(value, shift - 1u);
  let hasTrailingBits = fp64_u64_has_bits_below(value, shift - 1u);
  if (guard && (hasTrailingBits || (rounded & 1u) == 1u)) {
    rounded = rounded + 1u;
  }
  return rounded;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_round_shift_right(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }

  var rounded = fp64_u64_shift_right(value, shift);
  let guard = fp64_u64_get_bit(value, shift - 1u);
  let hasTrailingBits = fp64_u64_has_bits_below(value, shift - 1u);
  if (guard && (hasTrailingBits || (rounded.y & 1u) == 1u)) {
    rounded = fp64_u64_add(rounded, vec2u(0u, 1u));
  }
  return rounded;
}
#endif

fn fp64_make_f32_bits_from_u64(sign: u32, significand: vec2u, baseExponent: i32) -> u32 {
  if (fp64_u64_is_zero(significand)) {
    return sign << 31u;
  }

  let leadingZeros = fp64_u64_count_leading_zeros(significand);
  let mostSignificantBit = 63u - leadingZeros;
  var exponent = baseExponent + i32(mostSignificantBit);

  if (exponent > 127) {
    return (sign << 31u) | 0x7f800000u;
  }

  if (exponent >= -126) {
    let shift = i32(mostSignificantBit) - 23;
    var significand24: u32;
    if (shift > 0) {
      significand24 = fp64_round_shift_right_to_u32(significand, u32(shift));
    } else {
      significand24 = fp64_u64_shift_left(significand, u32(-shift)).y;
    }

    if (significand24 >= 0x1000000u) {
      significand24 = significand24 >> 1u;
      exponent = exponent + 1;
      if (exponent > 127) {
        return (sign << 31u) | 0x7f800000u;
      }
    }

    return (sign << 31u) | (u32(exponent + 127) << 23u) | (significand24 & 0x7fffffu);
  }

  let scaleExponent = baseExponent + 149;
  var mantissa: u32;
  if (scaleExponent >= 0) {
    mantissa = fp64_u64_shift_left(significand, u32(scaleExponent)).y;
  } else {
    mantissa = fp64_round_shift_right_to_u32(significand, u32(-scaleExponent));
  }

  if (mantissa >= 0x800000u) {
    return (sign << 31u) | 0x00800000u;
  }
  return (sign << 31u) | mantissa;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_decode_bits(bits: vec2u) -> Fp64Bits {
  let sign = bits.x >> 31u;
  let exponentBits = (bits.x >> 20u) & 0x7ffu;
  let fractionHigh = bits.x & 0xfffffu;
  let fractionLow = bits.y;
  let fraction = vec2u(fractionHigh, fractionLow);

  if (exponentBits == 0x7ffu) {
    let isInf = fp64_u64_is_zero(fraction);
    return Fp64Bits(sign, 0, vec2u(0u), false, isInf, !isInf);
  }

  if (exponentBits == 0u) {
    let isZero = fp64_u64_is_zero(fraction);
    return Fp64Bits(sign, -1022, fraction, isZero, false, false);
  }

  return Fp64Bits(sign, i32(exponentBits) - 1023, vec2u((1u << 20u) | fractionHigh, fractionLow), false, false, false);
}

fn fp64_finite_magnitude_compare(a: Fp64Bits, b: Fp64Bits) -> i32 {
  if (a.exponent != b.exponent) {
    return select(-1, 1, a.exponent > b.exponent);
  }
  return fp64_u64_compare(a.significand, b.significand);
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
struct Fp64RawF32Bits {
  sign: u32,
  baseExponent: i32,
  significand: u32,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};

// Decode an f32 as (-1)^sign * significand * 2^baseExponent. This shared
// integer representation lets normalization remain independent of the
// selected double-single arithmetic implementation.
fn fp64_decode_raw_f32_bits(bits: u32) -> Fp64RawF32Bits {
  let sign = bits >> 31u;
  let exponentBits = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;

  if (exponentBits == 0xffu) {
    return Fp64RawF32Bits(sign, 0, 0u, false, fraction == 0u, fraction != 0u);
  }
  if (exponentBits == 0u) {
    return Fp64RawF32Bits(sign, -149, fraction, fraction == 0u, false, false);
  }
  return Fp64RawF32Bits(
    sign,
    i32(exponentBits) - 150,
    0x800000u | fraction,
    false,
    false,
    false
  );
}

fn fp64_raw_f32_magnitude_compare(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  return select(-1, 1, aMagnitude > bMagnitude);
}

fn fp64_make_raw_residual_f32_bits(
  exactSign: u32,
  exactMagnitude: vec2u,
  exactBaseExponent: i32,
  highBits: u32
) -> u32 {
  if (fp64_u64_is_zero(exactMagnitude)) {
    return 0u;
  }

  let high = fp64_decode_raw_f32_bits(highBits);
  if (high.isInf || high.isNan) {
    return 0u;
  }
  if (high.isZero) {
    return fp64_make_f32_bits_from_u64(exactSign, exactMagnitude, exactBaseExponent);
  }

  let commonBaseExponent = min(exactBaseExponent, high.baseExponent);
  let exactShift = exactBaseExponent - commonBaseExponent;
  let highShift = high.baseExponent - commonBaseExponent;
  if (exactShift >= 64 || highShift >= 64) {
    return 0u;
  }

  let exactAligned = fp64_u64_shift_left(exactMagnitude, u32(exactShift));
  let highAligned = fp64_u64_shift_left(vec2u(0u, high.significand), u32(highShift));
  let comparison = fp64_u64_compare(exactAligned, highAligned);
  if (comparison == 0) {
    return 0u;
  }

  var residualSign = exactSign;
  var residualMagnitude: vec2u;
  if (comparison > 0) {
    residualMagnitude = fp64_u64_sub(exactAligned, highAligned);
  } else {
    residualSign = exactSign ^ 1u;
    residualMagnitude = fp64_u64_sub(highAligned, exactAligned);
  }
  return fp64_make_f32_bits_from_u64(
    residualSign,
    residualMagnitude,
    commonBaseExponent
  );
}

fn fp64_split_raw_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  if (fp64_u64_is_zero(magnitude)) {
    return vec2u(0u);
  }
  let highBits = fp64_make_f32_bits_from_u64(sign, magnitude, baseExponent);
  let rawLowBits = fp64_make_raw_residual_f32_bits(sign, magnitude, baseExponent, highBits);
  let lowBits = select(rawLowBits, 0u, (rawLowBits & 0x7fffffffu) == 0u);
  if ((highBits & 0x7fffffffu) == 0u && (lowBits & 0x7fffffffu) == 0u) {
    return vec2u(0u);
  }
  return vec2u(highBits, lowBits);
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
// Round an arithmetic accumulator to binary64 before splitting it. The
// aligned add/subtract paths retain three guard bits plus a sticky bit, which
// is sufficient for round-to-nearest-even at the binary64 boundary.
fn fp64_split_binary64_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  if (fp64_u64_is_zero(magnitude)) {
    return vec2u(0u);
  }

  let mostSignificantBit = 63u - fp64_u64_count_leading_zeros(magnitude);
  let exponent = baseExponent + i32(mostSignificantBit);
  if (exponent > 1023) {
    return vec2u((sign << 31u) | 0x7f800000u, 0u);
  }

  var roundedMagnitude = magnitude;
  var roundedBaseExponent = baseExponent;
  if (exponent >= -1022) {
    if (mostSignificantBit > 52u) {
      let shift = mostSignificantBit - 52u;
      roundedMagnitude = fp64_round_shift_right(magnitude, shift);
      roundedBaseExponent = baseExponent + i32(shift);
    }
  } else {
    let shift = -1074 - baseExponent;
    if (shift > 0) {
      roundedMagnitude = fp64_round_shift_right(magnitude, u32(shift));
      roundedBaseExponent = -1074;
    }
  }

  if (fp64_u64_is_zero(roundedMagnitude)) {
    return vec2u(0u);
  }
  return fp64_split_raw_accumulator_bits(sign, roundedMagnitude, roundedBaseExponent);
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_add_raw_f32_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_raw_f32_bits(aBits);
  let b = fp64_decode_raw_f32_bits(bBits);

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    if (a.isInf && b.isInf && a.sign != b.sign) {
      return vec2u(0x7fc00000u, 0u);
    }
    return select(vec2u(bBits, 0u), vec2u(aBits, 0u), a.isInf);
  }
  if (a.isZero && b.isZero) {
    return vec2u(0u);
  }
  if (a.isZero) {
    return vec2u(bBits, 0u);
  }
  if (b.isZero) {
    return vec2u(aBits, 0u);
  }

  let exponentDifference = abs(a.baseExponent - b.baseExponent);
  if (exponentDifference > 25) {
    if (fp64_raw_f32_magnitude_compare(aBits, bBits) >= 0) {
      return vec2u(aBits, bBits);
    }
    return vec2u(bBits, aBits);
  }

  let commonBaseExponent = min(a.baseExponent, b.baseExponent);
  let aMagnitude = fp64_u64_shift_left(
    vec2u(0u, a.significand),
    u32(a.baseExponent - commonBaseExponent)
  );
  let bMagnitude = fp64_u64_shift_left(
    vec2u(0u, b.significand),
    u32(b.baseExponent - commonBaseExponent)
  );

  var resultSign = a.sign;
  var resultMagnitude: vec2u;
  if (a.sign == b.sign) {
    resultMagnitude = fp64_u64_add(aMagnitude, bMagnitude);
  } else {
    let comparison = fp64_u64_compare(aMagnitude, bMagnitude);
    if (comparison == 0) {
      return vec2u(0u);
    }
    if (comparison > 0) {
      resultMagnitude = fp64_u64_sub(aMagnitude, bMagnitude);
    } else {
      resultSign = b.sign;
      resultMagnitude = fp64_u64_sub(bMagnitude, aMagnitude);
    }
  }

  return fp64_split_raw_accumulator_bits(
    resultSign,
    resultMagnitude,
    commonBaseExponent
  );
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_add_aligned_magnitudes_to_fp64_bits(
  sign: u32,
  larger: Fp64Bits,
  smaller: Fp64Bits
) -> vec2u {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_add(largeSignificand, smallSignificand);
  return fp64_split_binary64_accumulator_bits(
    sign,
    resultSignificand,
    larger.exponent - 55
  );
}

fn fp64_sub_aligned_magnitudes_to_fp64_bits(
  sign: u32,
  larger: Fp64Bits,
  smaller: Fp64Bits
) -> vec2u {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_sub(largeSignificand, smallSignificand);
  return fp64_split_binary64_accumulator_bits(
    sign,
    resultSignificand,
    larger.exponent - 55
  );
}

fn fp64_add_aligned_magnitudes_to_f32_bits(sign: u32, larger: Fp64Bits, smaller: Fp64Bits) -> u32 {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_add(largeSignificand, smallSignificand);
  return fp64_make_f32_bits_from_u64(sign, resultSignificand, larger.exponent - 55);
}

fn fp64_sub_aligned_magnitudes_to_f32_bits(sign: u32, larger: Fp64Bits, smaller: Fp64Bits) -> u32 {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_sub(largeSignificand, smallSignificand);
  return fp64_make_f32_bits_from_u64(sign, resultSignificand, larger.exponent - 55);
}

// Subtract two raw binary64 values and round the exact result once to f32.
// The input words are canonical high/low words: .x contains sign/exponent/high
// fraction bits, and .y contains the low 32 fraction bits.
fn sub_fp64u32_to_f32_bits(aBits: vec2u, bBits: vec2u) -> u32 {
  let a = fp64_decode_bits(aBits);
  let b = fp64_decode_bits(bBits);
  let bSubtractionSign = b.sign ^ 1u;

  if (a.isNan || b.isNan) {
    return 0x7fc00000u;
  }
  if (a.isInf && b.isInf) {
    if (a.sign == bSubtractionSign) {
      return (a.sign << 31u) | 0x7f800000u;
    }
    return 0x7fc00000u;
  }
  if (a.isInf) {
    return (a.sign << 31u) | 0x7f800000u;
  }
  if (b.isInf) {
    return (bSubtractionSign << 31u) | 0x7f800000u;
  }
  if (a.isZero && b.isZero) {
    return select(0u, 0x80000000u, a.sign == 1u && b.sign == 0u);
  }

  let magnitudeComparison = fp64_finite_magnitude_compare(a, b);
  if (a.sign == bSubtractionSign) {
    if (magnitudeComparison >= 0) {
      return fp64_add_aligned_magnitudes_to_f32_bits(a.sign, a, b);
    }
    return fp64_add_aligned_magnitudes_to_f32_bits(a.sign, b, a);
  }

  if (magnitudeComparison == 0) {
    return 0u;
  }
  if (magnitudeComparison > 0) {
    return fp64_sub_aligned_magnitudes_to_f32_bits(a.sign, a, b);
  }
  return fp64_sub_aligned_magnitudes_to_f32_bits(bSubtractionSign, b, a);
}

fn sub_fp64u32_to_f32(aBits: vec2u, bBits: vec2u) -> f32 {
  return bitcast<f32>(sub_fp64u32_to_f32_bits(aBits, bBits));
}

// Subtract two raw binary64 values, round once to binary64, then split the
// result into normalized f32 limbs. Finite results must fit within the f32
// exponent range; larger magnitudes map to infinity and smaller magnitudes
// map to zero. The input words use canonical high/low word order.
fn sub_fp64u32_to_fp64_bits(aBits: vec2u, bBits: vec2u) -> vec2u {
  let a = fp64_decode_bits(aBits);
  let b = fp64_decode_bits(bBits);
  let bSubtractionSign = b.sign ^ 1u;

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf && b.isInf) {
    if (a.sign == bSubtractionSign) {
      return vec2u((a.sign << 31u) | 0x7f800000u, 0u);
    }
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf) {
    return vec2u((a.sign << 31u) | 0x7f800000u, 0u);
  }
  if (b.isInf) {
    return vec2u((bSubtractionSign << 31u) | 0x7f800000u, 0u);
  }
  if (a.isZero && b.isZero) {
    return vec2u(0u);
  }

  let magnitudeComparison = fp64_finite_magnitude_compare(a, b);
  if (a.sign == bSubtractionSign) {
    if (magnitudeComparison >= 0) {
      return fp64_add_aligned_magnitudes_to_fp64_bits(a.sign, a, b);
    }
    return fp64_add_aligned_magnitudes_to_fp64_bits(a.sign, b, a);
  }

  if (magnitudeComparison == 0) {
    return vec2u(0u);
  }
  if (magnitudeComparison > 0) {
    return fp64_sub_aligned_magnitudes_to_fp64_bits(a.sign, a, b);
  }
  return fp64_sub_aligned_magnitudes_to_fp64_bits(bSubtractionSign, b, a);
}

fn sub_fp64u32_to_fp64(aBits: vec2u, bBits: vec2u) -> vec2f {
  let resultBits = sub_fp64u32_to_fp64_bits(aBits, bBits);
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_runtime_zero() -> f32 {
  return fp64arithmetic.ONE * 0.0;
}

fn prevent_fp64_optimization(value: f32) -> f32 {
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  return value + fp64_runtime_zero();
#else
  return value;
#endif
}
#endif

#ifdef LUMA_FP64_INTEGER_ARITHMETIC
${D2}
#else
fn split(a: f32) -> vec2f {
  let splitValue = prevent_fp64_optimization(fp64arithmetic.SPLIT + fp64_runtime_zero());
  let t = prevent_fp64_optimization(a * splitValue);
  let temp = prevent_fp64_optimization(t - a);
  let aHi = prevent_fp64_optimization(t - temp);
  let aLo = prevent_fp64_optimization(a - aHi);
  return vec2f(aHi, aLo);
}

fn split2(a: vec2f) -> vec2f {
  var b = split(a.x);
  b.y = b.y + a.y;
  return b;
}

fn quickTwoSum(a: f32, b: f32) -> vec2f {
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let sum = prevent_fp64_optimization((a + b) * fp64arithmetic.ONE);
  let err = prevent_fp64_optimization(b - (sum - a) * fp64arithmetic.ONE);
#else
  let sum = prevent_fp64_optimization(a + b);
  let err = prevent_fp64_optimization(b - (sum - a));
#endif
  return vec2f(sum, err);
}

fn twoSum(a: f32, b: f32) -> vec2f {
  let s = prevent_fp64_optimization(a + b);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let v = prevent_fp64_optimization((s * fp64arithmetic.ONE - a) * fp64arithmetic.ONE);
  let err =
    prevent_fp64_optimization((a - (s - v) * fp64arithmetic.ONE) *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE) +
    prevent_fp64_optimization(b - v);
#else
  let v = prevent_fp64_optimization(s - a);
  let err = prevent_fp64_optimization(a - (s - v)) + prevent_fp64_optimization(b - v);
#endif
  return vec2f(s, err);
}

fn twoSub(a: f32, b: f32) -> vec2f {
  let s = prevent_fp64_optimization(a - b);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let v = prevent_fp64_optimization((s * fp64arithmetic.ONE - a) * fp64arithmetic.ONE);
  let err =
    prevent_fp64_optimization((a - (s - v) * fp64arithmetic.ONE) *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE) -
    prevent_fp64_optimization(b + v);
#else
  let v = prevent_fp64_optimization(s - a);
  let err = prevent_fp64_optimization(a - (s - v)) - prevent_fp64_optimization(b + v);
#endif
  return vec2f(s, err);
}

fn twoSqr(a: f32) -> vec2f {
  let prod = prevent_fp64_optimization(a * a);
  let aFp64 = split(a);
  let highProduct = prevent_fp64_optimization(aFp64.x * aFp64.x);
  let crossProduct = prevent_fp64_optimization(2.0 * aFp64.x * aFp64.y);
  let lowProduct = prevent_fp64_optimization(aFp64.y * aFp64.y);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let err =
    (prevent_fp64_optimization(highProduct - prod) * fp64arithmetic.ONE +
      crossProduct * fp64arithmetic.ONE * fp64arithmetic.ONE) +
    lowProduct * fp64arithmetic.ONE * fp64arithmetic.ONE * fp64arithmetic.ONE;
#else
  let err = ((prevent_fp64_optimization(highProduct - prod) + crossProduct) + lowProduct);
#endif
  return vec2f(prod, err);
}

fn twoProd(a: f32, b: f32) -> vec2f {
  let prod = prevent_fp64_optimization(a * b);
  let aFp64 = split(a);
  let bFp64 = split(b);
  let highProduct = prevent_fp64_optimization(aFp64.x * bFp64.x);
  let crossProduct1 = prevent_fp64_optimization(aFp64.x * bFp64.y);
  let crossProduct2 = prevent_fp64_optimization(aFp64.y * bFp64.x);
  let lowProduct = prevent_fp64_optimization(aFp64.y * bFp64.y);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let err1 = (highProduct - prod) * fp64arithmetic.ONE;
  let err2 = crossProduct1 * fp64arithmetic.ONE * fp64arithmetic.ONE;
  let err3 = crossProduct2 * fp64arithmetic.ONE * fp64arithmetic.ONE * fp64arithmetic.ONE;
  let err4 =
    lowProduct *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE;
#else
  let err1 = highProduct - prod;
  let err2 = crossProduct1;
  let err3 = crossProduct2;
  let err4 = lowProduct;
#endif
  let err12InputA = prevent_fp64_optimization(err1);
  let err12InputB = prevent_fp64_optimization(err2);
  let err12 = prevent_fp64_optimization(err12InputA + err12InputB);
  let err123InputA = prevent_fp64_optimization(err12);
  let err123InputB = prevent_fp64_optimization(err3);
  let err123 = prevent_fp64_optimization(err123InputA + err123InputB);
  let err1234InputA = prevent_fp64_optimization(err123);
  let err1234InputB = prevent_fp64_optimization(err4);
  let err = prevent_fp64_optimization(err1234InputA + err1234InputB);
  return vec2f(prod, err);
}

fn sum_fp64(a: vec2f, b: vec2f) -> vec2f {
  var s = twoSum(a.x, b.x);
  let t = twoSum(a.y, b.y);
  s.y = prevent_fp64_optimization(s.y + t.x);
  s = quickTwoSum(s.x, s.y);
  s.y = prevent_fp64_optimization(s.y + t.y);
  s = quickTwoSum(s.x, s.y);
  return s;
}

fn sub_fp64(a: vec2f, b: vec2f) -> vec2f {
  var s = twoSub(a.x, b.x);
  let t = twoSub(a.y, b.y);
  s.y = prevent_fp64_optimization(s.y + t.x);
  s = quickTwoSum(s.x, s.y);
  s.y = prevent_fp64_optimization(s.y + t.y);
  s = quickTwoSum(s.x, s.y);
  return s;
}

fn mul_fp64(a: vec2f, b: vec2f) -> vec2f {
  var prod = twoProd(a.x, b.x);
  let crossProduct1 = prevent_fp64_optimization(a.x * b.y);
  prod.y = prevent_fp64_optimization(prod.y + crossProduct1);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  let crossProduct2 = prevent_fp64_optimization(a.y * b.x);
  prod.y = prevent_fp64_optimization(prod.y + crossProduct2);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  return prod;
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn div_fp64(a: vec2f, b: vec2f) -> vec2f {
  let xn = prevent_fp64_optimization(1.0 / b.x);
  let yn = mul_fp64(a, vec2f(xn, fp64_runtime_zero()));
  let diff = prevent_fp64_optimization(sub_fp64(a, mul_fp64(b, yn)).x);
  let prod = twoProd(xn, diff);
  return sum_fp64(yn, prod);
}

fn sqrt_fp64(a: vec2f) -> vec2f {
  if (a.x == 0.0 && a.y == 0.0) {
    return vec2f(0.0, 0.0);
  }
  if (a.x < 0.0) {
    let nanValue = fp64_nan(a.x);
    return vec2f(nanValue, nanValue);
  }

  let x = prevent_fp64_optimization(1.0 / sqrt(a.x));
  let yn = prevent_fp64_optimization(a.x * x);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let ynSqr = twoSqr(yn) * fp64arithmetic.ONE;
#else
  let ynSqr = twoSqr(yn);
#endif
  let diff = prevent_fp64_optimization(sub_fp64(a, ynSqr).x);
  let prod = twoProd(prevent_fp64_optimization(x * 0.5), diff);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  return sum_fp64(split(yn), prod);
#else
  return sum_fp64(vec2f(yn, 0.0), prod);
#endif
}
#endif
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_f32_bits_is_nan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn fp64_f32_bits_is_inf(bits: u32) -> bool {
  return (bits & 0x7fffffffu) == 0x7f800000u;
}

fn fp64_compare_f32_bits(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == 0u && bMagnitude == 0u) {
    return 0;
  }
  let aSign = aBits >> 31u;
  let bSign = bBits >> 31u;
  if (aSign != bSign) {
    return select(1, -1, aSign == 1u);
  }
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  let magnitudeComparison = select(-1, 1, aMagnitude > bMagnitude);
  return select(magnitudeComparison, -magnitudeComparison, aSign == 1u);
}

// Normalize an arbitrary pair of finite f32 limbs with integer accumulation.
// This is independent of LUMA_FP64_INTEGER_ARITHMETIC and canonicalizes every
// representation of zero to vec2f(+0.0, +0.0).
fn normalize_fp64(value: vec2f) -> vec2f {
  let resultBits = fp64_add_raw_f32_bits(bitcast<u32>(value.x), bitcast<u32>(value.y));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn is_nan_fp64(value: vec2f) -> bool {
  let normalized = normalize_fp64(value);
  return fp64_f32_bits_is_nan(bitcast<u32>(normalized.x)) ||
    fp64_f32_bits_is_nan(bitcast<u32>(normalized.y));
}

fn is_finite_fp64(value: vec2f) -> bool {
  let normalized = normalize_fp64(value);
  let highBits = bitcast<u32>(normalized.x);
  let lowBits = bitcast<u32>(normalized.y);
  return !fp64_f32_bits_is_nan(highBits) && !fp64_f32_bits_is_nan(lowBits) &&
    !fp64_f32_bits_is_inf(highBits) && !fp64_f32_bits_is_inf(lowBits);
}

// Returns -1, 0, or 1. NaN is unordered and returns 0; call is_nan_fp64 or
// is_finite_fp64 first when 0 must mean a finite zero.
fn sign_fp64(value: vec2f) -> i32 {
  let normalized = normalize_fp64(value);
  let highBits = bitcast<u32>(normalized.x);
  let lowBits = bitcast<u32>(normalized.y);
  if (fp64_f32_bits_is_nan(highBits) || fp64_f32_bits_is_nan(lowBits)) {
    return 0;
  }
  if ((highBits & 0x7fffffffu) != 0u) {
    return select(1, -1, (highBits >> 31u) == 1u);
  }
  if ((lowBits & 0x7fffffffu) != 0u) {
    return select(1, -1, (lowBits >> 31u) == 1u);
  }
  return 0;
}

// Compares double-single values and returns -1, 0, or 1. NaN is unordered
// and returns 0; callers that require equality semantics must first check
// is_nan_fp64 or is_finite_fp64.
fn compare_fp64(a: vec2f, b: vec2f) -> i32 {
  let normalizedA = normalize_fp64(a);
  let normalizedB = normalize_fp64(b);
  let aHighBits = bitcast<u32>(normalizedA.x);
  let aLowBits = bitcast<u32>(normalizedA.y);
  let bHighBits = bitcast<u32>(normalizedB.x);
  let bLowBits = bitcast<u32>(normalizedB.y);
  if (fp64_f32_bits_is_nan(aHighBits) || fp64_f32_bits_is_nan(aLowBits) ||
      fp64_f32_bits_is_nan(bHighBits) || fp64_f32_bits_is_nan(bLowBits)) {
    return 0;
  }
  let highComparison = fp64_compare_f32_bits(aHighBits, bHighBits);
  if (highComparison != 0) {
    return highComparison;
  }
  return fp64_compare_f32_bits(aLowBits, bLowBits);
}
#endif
`});var S6,kb,z2=P(()=>{C2();O2();U2();S6={ONE:1,SPLIT:4097},kb={name:"fp64arithmetic",source:F2,fs:Bb,vs:Bb,defaultUniforms:S6,uniformTypes:{ONE:"f32",SPLIT:"f32"},fp64ify:Ib,fp64LowPart:L2,fp64ifyMatrix4:M2}});function L6(r={},e){let t={},n=R2(r.useByteColors,!0);if(r.highlightedObjectColor!==void 0)if(r.highlightedObjectColor===null)t.isHighlightActive=!1;else{t.isHighlightActive=!0;let i=r.highlightedObjectColor.slice(0,3);t.highlightedObjectColor=i}return r.highlightColor&&(t.highlightColor=I2(r.highlightColor,n)),r.isActive!==void 0&&(t.isActive=!!r.isActive,t.isAttribute=!!r.isAttribute),r.useByteColors!==void 0&&(t.useByteColors=!!r.useByteColors),t}var T6,P6,A6,Ti,G2=P(()=>{B2();T6=[0,1,1,1],P6=`layout(std140) uniform pickingUniforms {
  float isActive;
  float isAttribute;
  float isHighlightActive;
  float useByteColors;
  vec3 highlightedObjectColor;
  vec4 highlightColor;
} picking;

out vec4 picking_vRGBcolor_Avalid;

// Normalize unsigned byte color to 0-1 range
vec3 picking_normalizeColor(vec3 color) {
  return picking.useByteColors > 0.5 ? color / 255.0 : color;
}

// Normalize unsigned byte color to 0-1 range
vec4 picking_normalizeColor(vec4 color) {
  return picking.useByteColors > 0.5 ? color / 255.0 : color;
}

bool picking_isColorZero(vec3 color) {
  return dot(color, vec3(1.0)) < 0.00001;
}

bool picking_isColorValid(vec3 color) {
  return dot(color, vec3(1.0)) > 0.00001;
}

// Check if this vertex is highlighted 
bool isVertexHighlighted(vec3 vertexColor) {
  vec3 highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
  return
    bool(picking.isHighlightActive) && picking_isColorZero(abs(vertexColor - highlightedObjectColor));
}

// Set the current picking color
void picking_setPickingColor(vec3 pickingColor) {
  pickingColor = picking_normalizeColor(pickingColor);

  if (bool(picking.isActive)) {
    // Use alpha as the validity flag. If pickingColor is [0, 0, 0] fragment is non-pickable
    picking_vRGBcolor_Avalid.a = float(picking_isColorValid(pickingColor));

    if (!bool(picking.isAttribute)) {
      // Stores the picking color so that the fragment shader can render it during picking
      picking_vRGBcolor_Avalid.rgb = pickingColor;
    }
  } else {
    // Do the comparison with selected item color in vertex shader as it should mean fewer compares
    picking_vRGBcolor_Avalid.a = float(isVertexHighlighted(pickingColor));
  }
}

void picking_setPickingAttribute(float value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.r = value;
  }
}

void picking_setPickingAttribute(vec2 value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.rg = value;
  }
}

void picking_setPickingAttribute(vec3 value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.rgb = value;
  }
}
`,A6=`layout(std140) uniform pickingUniforms {
  float isActive;
  float isAttribute;
  float isHighlightActive;
  float useByteColors;
  vec3 highlightedObjectColor;
  vec4 highlightColor;
} picking;

in vec4 picking_vRGBcolor_Avalid;

/*
 * Returns highlight color if this item is selected.
 */
vec4 picking_filterHighlightColor(vec4 color) {
  // If we are still picking, we don't highlight
  if (picking.isActive > 0.5) {
    return color;
  }

  bool selected = bool(picking_vRGBcolor_Avalid.a);

  if (selected) {
    // Blend in highlight color based on its alpha value
    float highLightAlpha = picking.highlightColor.a;
    float blendedAlpha = highLightAlpha + color.a * (1.0 - highLightAlpha);
    float highLightRatio = highLightAlpha / blendedAlpha;

    vec3 blendedRGB = mix(color.rgb, picking.highlightColor.rgb, highLightRatio);
    return vec4(blendedRGB, blendedAlpha);
  } else {
    return color;
  }
}

/*
 * Returns picking color if picking enabled else unmodified argument.
 */
vec4 picking_filterPickingColor(vec4 color) {
  if (bool(picking.isActive)) {
    if (picking_vRGBcolor_Avalid.a == 0.0) {
      discard;
    }
    return picking_vRGBcolor_Avalid;
  }
  return color;
}

/*
 * Returns picking color if picking is enabled if not
 * highlight color if this item is selected, otherwise unmodified argument.
 */
vec4 picking_filterColor(vec4 color) {
  vec4 highlightColor = picking_filterHighlightColor(color);
  return picking_filterPickingColor(highlightColor);
}
`,Ti={props:{},uniforms:{},name:"picking",uniformTypes:{isActive:"f32",isAttribute:"f32",isHighlightActive:"f32",useByteColors:"f32",highlightedObjectColor:"vec3<f32>",highlightColor:"vec4<f32>"},defaultUniforms:{isActive:!1,isAttribute:!1,isHighlightActive:!1,useByteColors:!0,highlightedObjectColor:[0,0,0],highlightColor:T6},vs:P6,fs:A6,getUniforms:L6}});var Wt=P(()=>{Zm();X1();Og();ME();RE();k2();z2();G2()});function Pn(r="id"){ny[r]=ny[r]||1;let e=ny[r]++;return`${r}-${e}`}var ny,fa=P(()=>{ny={}});function ks(r){switch(r){case"POSITION":return"positions";case"NORMAL":return"normals";case"TEXCOORD_0":return"texCoords";case"TEXCOORD_1":return"texCoords1";case"COLOR_0":return"colors";default:return r}}function TF(r){let e=[];for(let[t,n]of Object.entries(r)){if(!n)continue;let{value:i,size:s,normalized:o}=n;if(s===void 0)throw new Error(`Attribute ${t} is missing a size`);e.push({name:ks(t),format:Oe.getVertexFormatFromAttribute(i,s,o)})}return e}var Kn,wd=P(()=>{J();fa();Kn=class{id;topology;vertexCount;indices;attributes;bufferLayout;userData={};constructor(e){let{attributes:t={},indices:n=null,vertexCount:i=null}=e;this.id=e.id||Pn("geometry"),this.topology=e.topology,n&&(this.indices=ArrayBuffer.isView(n)?{value:n,size:1}:n),this.attributes={};for(let[s,o]of Object.entries(t)){let a=ArrayBuffer.isView(o)?{value:o}:o;if(!ArrayBuffer.isView(a.value))throw new Error(`${this._print(s)}: must be typed array or object with value as typed array`);if((s==="POSITION"||s==="positions")&&!a.size&&(a.size=3),s==="indices"){if(this.indices)throw new Error("Multiple indices detected");this.indices=a}else{let c=ks(s),l=Object.keys(this.attributes).find(u=>ks(u)===c);l&&delete this.attributes[l],this.attributes[s]=a}}this.indices&&this.indices.isIndexed!==void 0&&(this.indices=Object.assign({},this.indices),delete this.indices.isIndexed),this.vertexCount=i||this._calculateVertexCount(this.attributes,this.indices),this.bufferLayout=e.bufferLayout||TF(this.attributes)}getVertexCount(){return this.vertexCount}getAttributes(){return this.indices?{indices:this.indices,...this.attributes}:this.attributes}_print(e){return`Geometry ${this.id} attribute ${e}`}_setAttributes(e,t){return this}_calculateVertexCount(e,t){if(t)return t.value.length;let n=1/0;for(let i of Object.values(e)){if(!i)continue;let{value:s,size:o,constant:a}=i;!a&&s&&o!==void 0&&o>=1&&(n=Math.min(n,s.length/o))}return n}}});function DS(r,e={}){let t=e.bufferName||"geometry";if(PF(r,t))return r;let n=e.minAttributeAlignment||4,i=AF(r,e.attributes),s=[],o=0,a=1/0;for(let[u,f]of i){if(!f)continue;if(f.constant)throw new Error(`Attribute ${u} is constant`);let{value:d,size:h,normalized:p}=f;if(!ArrayBuffer.isView(d))throw new Error(`Attribute ${u} is missing typed array data`);if(h===void 0)throw new Error(`Attribute ${u} is missing a size`);let m=Oe.getVertexFormatFromAttribute(d,h,p),b=Oe.getVertexFormatInfo(m);o=OS(o,n),s.push({sourceName:u,attributeName:ks(u),value:d,size:h,format:m,byteOffset:o,byteLength:b.byteLength}),o+=b.byteLength;let w=d.length/h;if(!Number.isInteger(w))throw new Error(`Attribute ${u} length is not divisible by size`);a=Math.min(a,w)}if(s.length===0||!Number.isFinite(a))throw new Error(`Geometry ${r.id} has no interleavable attributes`);let c=OS(o,n),l=new ArrayBuffer(a*c);for(let u of s)LF(l,a,c,u);return new Kn({id:r.id,topology:r.topology||"triangle-list",vertexCount:r.vertexCount,indices:r.indices,attributes:{[t]:{value:new Uint8Array(l),size:c,byteStride:c}},bufferLayout:[{name:t,stepMode:"vertex",byteStride:c,attributes:s.map(u=>({attribute:u.attributeName,format:u.format,byteOffset:u.byteOffset}))}]})}function PF(r,e){if(r.bufferLayout.length!==1)return!1;let t=r.bufferLayout[0];return t.name===e&&!!t.attributes?.length&&!!r.attributes[e]}function AF(r,e){return e?e.map(t=>[t,r.attributes[t]]):Object.entries(r.attributes)}function LF(r,e,t,n){let i=n.value.constructor,s=i.BYTES_PER_ELEMENT;if(n.byteOffset%s!==0||t%s!==0)throw new Error(`Attribute ${n.sourceName} is not aligned to its component type`);let o=new i(r),a=n.value,c=n.byteOffset/s,l=t/s;for(let u=0;u<e;u++){let f=u*n.size,d=u*l+c;for(let h=0;h<n.size;h++)o[d+h]=a[f+h]}}function OS(r,e){return Math.ceil(r/e)*e}var NS=P(()=>{J();wd()});var MF,CF,Os,FS=P(()=>{MF=1,CF=1,Os=class{time=0;channels=new Map;animations=new Map;playing=!1;lastEngineTime=-1;constructor(){}addChannel(e){let{delay:t=0,duration:n=Number.POSITIVE_INFINITY,rate:i=1,repeat:s=1}=e,o=MF++,a={time:0,delay:t,duration:n,rate:i,repeat:s};return this._setChannelTime(a,this.time),this.channels.set(o,a),o}removeChannel(e){this.channels.delete(e);for(let[t,n]of this.animations)n.channel===e&&this.detachAnimation(t)}isFinished(e){let t=this.channels.get(e);return t===void 0?!1:this.time>=t.delay+t.duration*t.repeat}getTime(e){if(e===void 0)return this.time;let t=this.channels.get(e);return t===void 0?-1:t.time}setTime(e){this.time=Math.max(0,e);let t=this.channels.values();for(let i of t)this._setChannelTime(i,this.time);let n=this.animations.values();for(let i of n){let{animation:s,channel:o}=i;s.setTime(this.getTime(o))}}play(){this.playing=!0}pause(){this.playing=!1,this.lastEngineTime=-1}reset(){this.setTime(0)}attachAnimation(e,t){let n=CF++;return this.animations.set(n,{animation:e,channel:t}),e.setTime(this.getTime(t)),n}detachAnimation(e){this.animations.delete(e)}update(e){this.playing&&(this.lastEngineTime===-1&&(this.lastEngineTime=e),this.setTime(this.time+(e-this.lastEngineTime)),this.lastEngineTime=e)}_setChannelTime(e,t){let n=t-e.delay,i=e.duration*e.repeat;n>=i?e.time=e.duration*e.rate:(e.time=Math.max(0,n)%e.duration,e.time*=e.rate)}}});function US(r){let e=typeof window<"u"?window.requestAnimationFrame||window.webkitRequestAnimationFrame||window.mozRequestAnimationFrame:null;return e?e.call(window,r):setTimeout(()=>r(typeof performance<"u"?performance.now():Date.now()),1e3/60)}function zS(r){let e=typeof window<"u"?window.cancelAnimationFrame||window.webkitCancelAnimationFrame||window.mozCancelAnimationFrame:null;if(e){e.call(window,r);return}clearTimeout(r)}var GS=P(()=>{});var RF,IF,$S,cl,VS=P(()=>{J();GS();rc();RF=0,IF="Animation Loop",$S={requestAnimationFrame:r=>US(r),cancelAnimationFrame:r=>zS(r)},cl=class r{static defaultAnimationLoopProps={device:null,onAddHTML:()=>"",onInitialize:async()=>null,onRender:()=>{},onFinalize:()=>{},onError:e=>{console.error(e)},stats:void 0,autoResizeViewport:!1,animationFrameProvider:$S};device=null;canvas=null;props;animationProps=null;timeline=null;stats;sharedStats;cpuTime;gpuTime;frameRate;display;_needsRedraw="initialized";_initialized=!1;_running=!1;_animationFrameId=null;_nextFramePromise=null;_resolveNextFrame=null;_cpuStartTime=0;_error=null;_lastFrameTime=0;constructor(e){if(this.props={...r.defaultAnimationLoopProps,...e},e=this.props,!e.device)throw new Error("No device provided");this.stats=e.stats||new Pr({id:`animation-loop-${RF++}`}),this.sharedStats=Fo.stats.get(IF),this.frameRate=this.stats.get("Frame Rate"),this.frameRate.setSampleSize(1),this.cpuTime=this.stats.get("CPU Time"),this.gpuTime=this.stats.get("GPU Time"),this.setProps({autoResizeViewport:e.autoResizeViewport,animationFrameProvider:e.animationFrameProvider}),this.start=this.start.bind(this),this.stop=this.stop.bind(this),this._onMousemove=this._onMousemove.bind(this),this._onMouseleave=this._onMouseleave.bind(this)}destroy(){this.stop(),this._setDisplay(null),this.device?._disableDebugGPUTime()}delete(){this.destroy()}reportError(e){this._error=e,this.props.onError(e),this.props.onError===r.defaultAnimationLoopProps.onError&&typeof window<"u"&&typeof ErrorEvent<"u"&&window.dispatchEvent(new ErrorEvent("error",{error:e,message:e.message}))}setNeedsRedraw(e){return this._needsRedraw=this._needsRedraw||e,this}needsRedraw(){let e=this._needsRedraw;return this._needsRedraw=!1,e}setProps(e){if("autoResizeViewport"in e&&(this.props.autoResizeViewport=e.autoResizeViewport||!1),"animationFrameProvider"in e){let t=e.animationFrameProvider||$S;if(t!==this.props.animationFrameProvider){let n=this._animationFrameId!==null;n&&this._cancelAnimationFrame(),this.props.animationFrameProvider=t,n&&this._requestAnimationFrame()}}return this}async start(){if(this._running)return this;this._running=!0;try{let e;if(!this._initialized){if(this._initialized=!0,await this._initDevice(),this._initialize(),!this._running)return null;await this.props.onInitialize(this._getAnimationProps())}return this._running?(e!==!1&&(this._cancelAnimationFrame(),this._requestAnimationFrame()),this):null}catch(e){let t=e instanceof Error?e:new Error("Unknown error");throw this.props.onError(t),t}}stop(){if(this._running){let e=this.animationProps;this._cancelAnimationFrame(),this._nextFramePromise=null,this._resolveNextFrame=null,this._running=!1,this._lastFrameTime=0,e&&this.props.onFinalize(e)}return this}redraw(e,t=null){return this.device?.isLost||this._error?this:(this._beginFrameTimers(e),this._setupFrame(),this.animationProps&&(this.animationProps.animationFrame=t),this._updateAnimationProps(),this._renderFrame(this._getAnimationProps()),this._clearNeedsRedraw(),this._resolveNextFrame&&(this._resolveNextFrame(this),this._nextFramePromise=null,this._resolveNextFrame=null),this._endFrameTimers(),this)}attachTimeline(e){return this.timeline=e,this.timeline}detachTimeline(){this.timeline=null}waitForRender(){return this.setNeedsRedraw("waitForRender"),this._nextFramePromise||(this._nextFramePromise=new Promise(e=>{this._resolveNextFrame=e})),this._nextFramePromise}async toDataURL(){if(this.setNeedsRedraw("toDataURL"),await this.waitForRender(),this.canvas instanceof HTMLCanvasElement)return this.canvas.toDataURL();throw new Error("OffscreenCanvas")}_initialize(){this._startEventHandling(),this._initializeAnimationProps(),this._updateAnimationProps(),this._resizeViewport(),this.device?._enableDebugGPUTime()}_setDisplay(e){this.display&&(this.display.destroy(),this.display.animationLoop=null),e&&(e.animationLoop=this),this.display=e}_requestAnimationFrame(){this._running&&(this._animationFrameId=this.props.animationFrameProvider.requestAnimationFrame(this._animationFrame.bind(this)))}_cancelAnimationFrame(){this._animationFrameId!==null&&(this.props.animationFrameProvider.cancelAnimationFrame(this._animationFrameId),this._animationFrameId=null)}_animationFrame(e,t){if(this._running)try{this.redraw(e,t??null),this._requestAnimationFrame()}catch(n){let i=n instanceof Error?n:new Error(String(n));this.reportError(i),this.stop()}}_renderFrame(e){if(this.display){this.display._renderFrame(e);return}let t=this.props.onRender(this._getAnimationProps());this.device&&t!==!1&&this.device.submit()}_clearNeedsRedraw(){this._needsRedraw=!1}_setupFrame(){this._resizeViewport()}_initializeAnimationProps(){let e=this.device?.getDefaultCanvasContext();if(!this.device||!e)throw new Error("loop");let t=e?.canvas,n=e.props.useDevicePixels;this.animationProps={animationLoop:this,device:this.device,canvasContext:e,canvas:t,useDevicePixels:n,timeline:this.timeline,needsRedraw:!1,width:1,height:1,aspect:1,time:0,startTime:Date.now(),engineTime:0,tick:0,tock:0,animationFrame:null,_mousePosition:null}}_getAnimationProps(){if(!this.animationProps)throw new Error("animationProps");return this.animationProps}_updateAnimationProps(){if(!this.animationProps)return;let{width:e,height:t,aspect:n}=this._getSizeAndAspect();(e!==this.animationProps.width||t!==this.animationProps.height)&&this.setNeedsRedraw("drawing buffer resized"),n!==this.animationProps.aspect&&this.setNeedsRedraw("drawing buffer aspect changed"),this.animationProps.width=e,this.animationProps.height=t,this.animationProps.aspect=n,this.animationProps.needsRedraw=this._needsRedraw,this.animationProps.engineTime=Date.now()-this.animationProps.startTime,this.timeline&&this.timeline.update(this.animationProps.engineTime),this.animationProps.tick=Math.floor(this.animationProps.time/1e3*60),this.animationProps.tock++,this.animationProps.time=this.timeline?this.timeline.getTime():this.animationProps.engineTime}async _initDevice(){if(this.device=await this.props.device,!this.device)throw new Error("No device provided");this.canvas=this.device.getDefaultCanvasContext().canvas||null}_createInfoDiv(){if(this.canvas&&this.props.onAddHTML){let e=document.createElement("div");document.body.appendChild(e),e.style.position="relative";let t=document.createElement("div");t.style.position="absolute",t.style.left="10px",t.style.bottom="10px",t.style.width="300px",t.style.background="white",this.canvas instanceof HTMLCanvasElement&&e.appendChild(this.canvas),e.appendChild(t);let n=this.props.onAddHTML(t);n&&(t.innerHTML=n)}}_getSizeAndAspect(){if(!this.device)return{width:1,height:1,aspect:1};let[e,t]=this.device.getDefaultCanvasContext().getDrawingBufferSize(),n=e>0&&t>0?e/t:1;return{width:e,height:t,aspect:n}}_resizeViewport(){this.props.autoResizeViewport&&this.device.gl&&this.device.gl.viewport(0,0,this.device.gl.drawingBufferWidth,this.device.gl.drawingBufferHeight)}_beginFrameTimers(e){let t=e??(typeof performance<"u"?performance.now():Date.now());if(this._lastFrameTime){let n=t-this._lastFrameTime;n>0&&this.frameRate.addTime(n)}this._lastFrameTime=t,this.device?._isDebugGPUTimeEnabled()&&this._consumeEncodedGpuTime(),this.cpuTime.timeStart()}_endFrameTimers(){this.device?._isDebugGPUTimeEnabled()&&this._consumeEncodedGpuTime(),this.cpuTime.timeEnd(),this._updateSharedStats()}_consumeEncodedGpuTime(){if(!this.device)return;let e=this.device.commandEncoder._gpuTimeMs;e!==void 0&&(this.gpuTime.addTime(e),this.device.commandEncoder._gpuTimeMs=void 0)}_updateSharedStats(){if(this.stats!==this.sharedStats){for(let e of Object.keys(this.sharedStats.stats))this.stats.stats[e]||delete this.sharedStats.stats[e];this.stats.forEach(e=>{let t=this.sharedStats.get(e.name,e.type);t.sampleSize=e.sampleSize,t.time=e.time,t.count=e.count,t.samples=e.samples,t.lastTiming=e.lastTiming,t.lastSampleTime=e.lastSampleTime,t.lastSampleCount=e.lastSampleCount,t._count=e._count,t._time=e._time,t._samples=e._samples,t._startTime=e._startTime,t._timerPending=e._timerPending})}}_startEventHandling(){this.canvas&&(this.canvas.addEventListener("mousemove",this._onMousemove.bind(this)),this.canvas.addEventListener("mouseleave",this._onMouseleave.bind(this)))}_onMousemove(e){e instanceof MouseEvent&&(this._getAnimationProps()._mousePosition=[e.offsetX,e.offsetY])}_onMouseleave(e){this._getAnimationProps()._mousePosition=null}}});function WS(r,e){if(e instanceof vd)return e;let t=DS(e),n=BF(r,t),{attributes:i,bufferLayout:s}=kF(r,t);return new vd({topology:t.topology||"triangle-list",bufferLayout:s,vertexCount:t.vertexCount,indices:n,attributes:i})}function BF(r,e){if(!e.indices)return;let t=e.indices.value;return r.createBuffer({usage:re.INDEX,data:t})}function kF(r,e){let t={};for(let[n,i]of Object.entries(e.attributes)){let s=e.bufferLayout.find(o=>o.name===n)?.name||ks(n);i&&(t[s]=r.createBuffer({data:i.value,id:`${n}-buffer`}))}return{attributes:t,bufferLayout:e.bufferLayout,vertexCount:e.vertexCount}}var vd,jS=P(()=>{J();wd();NS();fa();vd=class{id;userData={};topology;bufferLayout=[];vertexCount;indices;attributes;constructor(e){if(this.id=e.id||Pn("geometry"),this.topology=e.topology,this.indices=e.indices||null,this.attributes=e.attributes,this.vertexCount=e.vertexCount,this.bufferLayout=e.bufferLayout||[],this.indices&&!(this.indices.usage&re.INDEX))throw new Error("Index buffer must have INDEX usage")}destroy(){this.indices?.destroy();for(let e of Object.values(this.attributes))e.destroy()}getVertexCount(){return this.vertexCount}getAttributes(){return this.attributes}getIndexes(){return this.indices||null}_calculateVertexCount(e){return e.byteLength/12}}});function HS(r,e){let t={},n="Values";if(r.attributes.length===0&&!r.varyings?.length)return{"No attributes or varyings":{[n]:"N/A"}};for(let i of r.attributes)if(i){let s=`${i.location} ${i.name}: ${i.type}`;t[`in ${s}`]={[n]:i.stepMode||"vertex"}}for(let i of r.varyings||[]){let s=`${i.location} ${i.name}`;t[`out ${s}`]={[n]:JSON.stringify(i)}}return t}var YS=P(()=>{});function ZS(r,e,t){if(r.device.type!=="webgl")return;let n=NF(r.device);if(!n.flushing){if(UF(r)){OF(r,t,n);return}e&&FF(e)&&e.handle!==null&&(n.queuedFramebuffers.includes(e)||n.queuedFramebuffers.push(e))}}function OF(r,e,t){if(t.queuedFramebuffers.length===0)return;let n=r.device,{gl:i}=n,s=i.getParameter(36010),o=i.getParameter(36006),[a,c]=r.device.getDefaultCanvasContext().getDrawingBufferSize(),l=XS(e.top,8),u=XS(e.left,8);t.flushing=!0;try{for(let f of t.queuedFramebuffers){let[d,h,p,m,b]=DF({framebuffer:f,targetWidth:a,targetHeight:c,topPx:l,leftPx:u,minimap:e.minimap});i.bindFramebuffer(36008,f.handle),i.bindFramebuffer(36009,null),i.blitFramebuffer(0,0,f.width,f.height,d,h,p,m,16384,9728),l+=b+8}}finally{i.bindFramebuffer(36008,s),i.bindFramebuffer(36009,o),t.flushing=!1}}function DF(r){let{framebuffer:e,targetWidth:t,targetHeight:n,topPx:i,leftPx:s,minimap:o}=r,a=o?Math.max(Math.floor(t/4),1):t,c=o?Math.max(Math.floor(n/4),1):n,l=Math.min(a/e.width,c/e.height),u=Math.max(Math.floor(e.width*l),1),f=Math.max(Math.floor(e.height*l),1),d=s,h=Math.max(n-i-f,0),p=d+u,m=h+f;return[d,h,p,m,f]}function NF(r){return r.userData[qS]||={flushing:!1,queuedFramebuffers:[]},r.userData[qS]}function FF(r){return"colorAttachments"in r}function UF(r){let e=r.props.framebuffer;return!e||e.handle===null}function XS(r,e){if(!r)return e;let t=Number.parseInt(r,10);return Number.isFinite(t)?t:e}var qS,KS=P(()=>{qS="__debugFramebufferState"});function da(r,e,t){if(r===e)return!0;if(!t||!r||!e)return!1;if(Array.isArray(r)){if(!Array.isArray(e)||r.length!==e.length)return!1;for(let n=0;n<r.length;n++)if(!da(r[n],e[n],t-1))return!1;return!0}if(Array.isArray(e))return!1;if(typeof r=="object"&&typeof e=="object"){let n=Object.keys(r),i=Object.keys(e);if(n.length!==i.length)return!1;for(let s of n)if(!e.hasOwnProperty(s)||!da(r[s],e[s],t-1))return!1;return!0}return!1}var QS=P(()=>{});var ha,JS=P(()=>{J();ha=class{bufferLayouts;constructor(e){this.bufferLayouts=e}getBufferLayout(e){return this.bufferLayouts.find(t=>t.name===e)||null}getAttributeNamesForBuffer(e){return Vo(e)}mergeBufferLayouts(e,t){let n=[...e];for(let i of t){let s=n.findIndex(o=>o.name===i.name);s<0?n.push(i):n[s]=i}return n}}});function eT(r,e){let t=Cg(r),n=e.slice();return n.sort((i,s)=>{let o=Of(Vo(i).map(c=>t[c])),a=Of(Vo(s).map(c=>t[c]));return o-a}),n}var tT=P(()=>{J()});function pa(r,e){if(!r||!e.some(n=>n.bindingLayout?.length))return r;let t={...r,bindings:r.bindings.map(n=>({...n}))};"attributes"in(r||{})&&(t.attributes=r?.attributes||[]);for(let n of e)for(let i of n.bindingLayout||[])for(let s of zF(i.name)){let o=t.bindings.find(a=>a.name===s);o?.group===0&&(o.group=i.group),o&&i.visibility!==void 0&&(o.visibility=i.visibility)}return t}function rT(r,e,t=[]){return r?e?{...r,attributes:r.attributes.length?VF(r.attributes,e.attributes.filter(n=>t.includes(n.name))):e.attributes,bindings:$F(r.bindings,e.bindings)}:r:e}function ll(r){return!!(r.uniformTypes&&!GF(r.uniformTypes))}function nT(r){let e=[];for(let t of r){let n=Dc(t),i=new Set([t.vs,t.fs].flatMap(o=>o?Nc(o).filter(a=>a.isStd140).map(a=>a.blockName):[])),s=i.has(n)?n:i.size===1?i.values().next().value:void 0;ll(t)&&s&&e.push({name:s,uniformTypes:t.uniformTypes})}return e}function Ed(r,e){let t=[],n=new Set;for(let i of[...r||[],...e||[]])n.has(i.name)||(n.add(i.name),t.push(i));return t}function zF(r){let e=new Set([r,`${r}Uniforms`]);return r.endsWith("Uniforms")||e.add(`${r}Sampler`),[...e]}function GF(r){for(let e in r)return!1;return!0}function $F(r,e){let t=r.map(s=>({...s})),n=new Set(r.map(s=>s.name)),i=new Set(r.map(s=>`${s.group}:${s.location}`));for(let s of e){let o=`${s.group}:${s.location}`;!n.has(s.name)&&!i.has(o)&&t.push({...s})}return t}function VF(r,e){let t=r.map(s=>({...s})),n=new Map(r.map(s=>[s.name,s])),i=new Map(r.map(s=>[s.location,s]));for(let s of e){let o=n.get(s.name);if(o){if(o.type!==s.type||o.location!==s.location)throw new Error(`Shader attribute "${s.name}" conflicts with its inferred type or location`);continue}let a=i.get(s.location);if(a)throw new Error(`Shader attributes "${a.name}" and "${s.name}" both use location ${s.location}`);t.push({...s})}return t}var iy=P(()=>{Wt()});function WF(r){return lc(r)||typeof r=="number"||typeof r=="boolean"}function iT(r,e={}){let t={bindings:{},uniforms:{}};return Object.keys(r).forEach(n=>{let i=r[n];Object.prototype.hasOwnProperty.call(e,n)||WF(i)?t.uniforms[n]=i:t.bindings[n]=i}),t}var sT=P(()=>{Im()});function oT(r={},e={},t={}){let n={...r};for(let[i,s]of Object.entries(e))s!==void 0&&(n[i]=sy(r[i],s,t[i]));return n}function sy(r,e,t){if(!t||typeof t=="string")return ul(e);if(Array.isArray(t)){if(oy(e)||!Array.isArray(e))return ul(e);let o=Array.isArray(r)&&!oy(r)?[...r]:[],a=o.slice();for(let c=0;c<e.length;c++){let l=e[c];l!==void 0&&(a[c]=sy(o[c],l,t[0]))}return a}if(!ay(e))return ul(e);let n=t,i=ay(r)?r:{},s={...i};for(let[o,a]of Object.entries(e))a!==void 0&&(s[o]=sy(i[o],a,n[o]));return s}function ul(r){return ArrayBuffer.isView(r)?Array.prototype.slice.call(r):Array.isArray(r)?oy(r)?r.slice():r.map(t=>t===void 0?void 0:ul(t)):ay(r)?Object.fromEntries(Object.entries(r).map(([e,t])=>[e,t===void 0?void 0:ul(t)])):r}function oy(r){return ArrayBuffer.isView(r)||Array.isArray(r)&&(r.length===0||typeof r[0]=="number")}function ay(r){return!!r&&typeof r=="object"&&!Array.isArray(r)&&!ArrayBuffer.isView(r)}function jF(r){return!!r?.dependencies}var ma,cy=P(()=>{J();Wt();sT();ma=class{options={disableWarnings:!1};modules;moduleUniforms;moduleBindings;directBindings={};constructor(e,t){Object.assign(this.options,t);let n=ls(Object.values(e).filter(jF));for(let i of n)e[i.name]=i;k.log(1,"Creating ShaderInputs with modules",Object.keys(e))(),this.modules=e,this.moduleUniforms={},this.moduleBindings={};for(let[i,s]of Object.entries(e))s&&(this._addModule(s),s.name&&i!==s.name&&!this.options.disableWarnings&&k.warn(`Module name: ${i} vs ${s.name}`)())}destroy(){}setProps(e){e.bindings&&Object.assign(this.directBindings,e.bindings);for(let t of Object.keys(e)){if(t==="bindings")continue;let n=t,i=e[n]||{},s=this.modules[n];if(!s)this.options.disableWarnings||k.warn(`Module ${t} not found`)();else{let o=this.moduleUniforms[n],a=this.moduleBindings[n],c=s.getUniforms?.(i,o)||i,{uniforms:l,bindings:u}=iT(c,s.uniformTypes);this.moduleUniforms[n]=oT(o,l,s.uniformTypes),this.moduleBindings[n]={...a,...u}}}}getModules(){return Object.values(this.modules)}addModules(e){let t=ls(e);for(let n of t){let i=n.name;this.modules[i]||(this.modules[i]=n,this._addModule(n))}}getUniformValues(){return this.moduleUniforms}getBindingValues(){let e={};for(let t of Object.values(this.moduleBindings))Object.assign(e,t);return Object.assign(e,this.directBindings),e}getModuleBindingValues(e){let t=this.moduleBindings[e];return t?{...t}:{}}getDebugTable(){let e={};for(let[t,n]of Object.entries(this.moduleUniforms))for(let[i,s]of Object.entries(n))e[`${t}.${i}`]={type:this.modules[t].uniformTypes?.[i],value:String(s)};return e}_addModule(e){let t=e.name;this.moduleUniforms[t]=oT({},e.defaultUniforms||{},e.uniformTypes),this.moduleBindings[t]={}}}});function ly(r){return r!==null&&typeof r=="object"&&"buffer"in r}function YF(r){return r instanceof Et?r.buffer:r}function aT(r){return{buffer:YF(r.buffer),offset:r.offset,size:r.size}}var HF,Et,uy=P(()=>{J();fa();HF=re.DEBUG_DATA_MAX_LENGTH,Et=class{device;id;ready;usage;props;isReady=!0;destroyed=!1;generation=0;updateTimestamp;debugData=new ArrayBuffer(0);_debugDataEnabled;_maxDebugDataByteLength;_ownsBuffer;_buffer;get buffer(){return this._buffer}get byteLength(){return this._buffer.byteLength}get[Symbol.toStringTag](){return"DynamicBuffer"}toString(){return`DynamicBuffer:"${this.id}":${this.byteLength}B`}toJSON(){return this.toString()}constructor(e,t){let{debugData:n=!1,buffer:i,ownsBuffer:s=!0,...o}=t;if(i&&i.device!==e)throw new Error("DynamicBuffer adopted buffers must belong to the supplied device");if(i&&(o.byteLength!==void 0||o.data!==void 0))throw new Error("DynamicBuffer cannot combine an adopted buffer with byteLength or data");let a=t.id||i?.id||Pn("dynamic-buffer"),c={...o,id:a,usage:o.usage??i?.usage,indexType:o.indexType??i?.indexType};(c.usage||0)&re.INDEX&&!c.indexType&&(o.data instanceof Uint32Array?c.indexType="uint32":o.data instanceof Uint16Array?c.indexType="uint16":o.data instanceof Uint8Array&&(c.indexType="uint8")),delete c.data,delete c.byteOffset,this.device=e,this.id=a,this.props=c,this.usage=c.usage||0,this._debugDataEnabled=!!n,this._maxDebugDataByteLength=typeof n=="object"&&n.maxByteLength!==void 0?n.maxByteLength:HF,this._ownsBuffer=s,this._buffer=i??this.device.createBuffer({...o,id:a}),this.ready=Promise.resolve(this._buffer),this.updateTimestamp=this._buffer.updateTimestamp,this._resetDebugData(this._buffer.byteLength),o.data&&this._writeDebugData(o.data,o.byteOffset||0)}write(e,t=0){this._buffer.write(e,t),this._touch(),this._writeDebugData(e,t)}async mapAndWriteAsync(e,t=0,n=this.byteLength-t){let i=null;await this._buffer.mapAndWriteAsync(async(s,o)=>{await e(s,o),i=new Uint8Array(s.slice(0,n))},t,n),this._touch(),i&&this._writeDebugData(i,t)}async readAsync(e=0,t=this.byteLength-e){let n=await this._buffer.readAsync(e,t);return this._writeDebugData(n,e)&&this._touch(),n}async mapAndReadAsync(e,t=0,n=this.byteLength-t){let i=null,s=await this._buffer.mapAndReadAsync(async(o,a)=>(i=new Uint8Array(o.slice(0)),await e(o,a)),t,n);return i&&this._writeDebugData(i,t)&&this._touch(),s}resize(e){let{byteLength:t,preserveData:n=!1}=e;if(t===this.byteLength)return!1;let i=Math.min(e.copyByteLength??Math.min(this.byteLength,t),this.byteLength,t),s=this._buffer,o=this.debugData.slice(0),{data:a,byteOffset:c,...l}=this.props,u=this.device.createBuffer({...l,byteLength:t});return n&&i>0&&this._copyBufferContents(s,u,i),this._buffer=u,this._resetDebugData(t),n&&o.byteLength>0&&this._writeDebugData(o,0),this._ownsBuffer&&s.destroy(),this._ownsBuffer=!0,this.generation++,this._touch(),!0}ensureSize(e,t){return e<=this.byteLength?!1:this.resize({byteLength:e,preserveData:t?.preserveData})}getBinding(e){return e?.offset===void 0&&e?.size===void 0?this._buffer:{buffer:this._buffer,offset:e?.offset,size:e?.size}}destroy(){this.destroyed||(this._ownsBuffer&&this._buffer.destroy(),this.destroyed=!0,this.debugData=new ArrayBuffer(0))}_copyBufferContents(e,t,n){let i=this.device.type==="webgpu"?Math.ceil(n/4)*4:n,s=this.device.createCommandEncoder();s.copyBufferToBuffer({sourceBuffer:e,destinationBuffer:t,size:i}),this.device.submit(s.finish())}_touch(){this.updateTimestamp=this.device.incrementTimestamp()}_resetDebugData(e){if(!this._debugDataEnabled){this.debugData=new ArrayBuffer(0);return}this.debugData=new ArrayBuffer(Math.min(e,this._maxDebugDataByteLength))}_writeDebugData(e,t){if(!this._debugDataEnabled||this.debugData.byteLength===0||t>=this.debugData.byteLength)return!1;let n=ArrayBuffer.isView(e)?new Uint8Array(e.buffer,e.byteOffset,e.byteLength):new Uint8Array(e),i=new Uint8Array(this.debugData),s=Math.min(n.byteLength,i.byteLength-t);return i.set(n.subarray(0,s),t),s>0}}});function fl(r){return r!==null&&typeof r=="object"&&"resolveTextureBinding"in r&&typeof r.resolveTextureBinding=="function"}function qF(r){return r?.type==="texture"||r?.type==="external-texture"}function cT(r,e,t){let n=Mf(r,e,{ignoreWarnings:!0});return qF(n)?n:r.bindings.length===0&&t?.fallbackGroup!==void 0?{type:"texture",name:e,group:t.fallbackGroup,location:0}:null}var lT=P(()=>{J()});function dy(r,e){return r.shaderLanguage!==void 0&&r.shaderLanguage!==e?!1:e==="glsl"?"assembleGLSLShaderPair"in r&&typeof r.assembleGLSLShaderPair=="function":"assembleWGSLShader"in r&&typeof r.assembleWGSLShader=="function"}function KF(r,e){return!r||Object.keys(e).length===0?r:{...r,attributes:r.attributes.map(t=>{let n=t.name.startsWith("_luma_")?t.name.slice(6):null;return n&&e[n]?{...t,name:n}:t})}}function QF(r,e,t){if(fl(e)){let n=cT(t,r,{fallbackGroup:0});return n?e.resolveTextureBinding(n):null}return e instanceof Et?e.buffer:ly(e)?aT(e):e}function JF(r){return r&&!uT(r)?r:null}function eU(r){return r&&uT(r)?r:void 0}function uT(r){return ZF.includes(r)}function tU(r){return{type:r.type,shaderLanguage:r.info.shadingLanguage,shaderLanguageVersion:r.info.shadingLanguageVersion,gpu:r.info.gpu,limits:r.limits,features:r.features}}var An,XF,fy,ZF,jt,hy=P(()=>{J();Wt();jS();YS();KS();QS();JS();tT();iy();fa();cy();uy();lT();An=2,XF=1e4,fy="render pipeline initialization failed",ZF=["stencil8","depth16unorm","depth24plus","depth24plus-stencil8","depth32float","depth32float-stencil8"],jt=class r{static defaultProps={...Lr.defaultProps,source:void 0,vs:null,fs:null,id:"unnamed",handle:void 0,userData:{},defines:{},modules:[],plugins:[],geometry:null,indexBuffer:null,indexCount:void 0,firstVertex:0,firstIndex:0,attributes:{},constantAttributes:{},bindings:{},uniforms:{},varyings:[],isInstanced:void 0,instanceCount:0,vertexCount:0,shaderInputs:void 0,material:void 0,pipelineFactory:void 0,shaderFactory:void 0,transformFeedback:void 0,shaderAssembler:Mr.getDefaultShaderAssembler("glsl"),debugShaders:void 0,disableWarnings:void 0};device;id;source;vs;fs;pipelineFactory;shaderFactory;userData={};parameters;topology;bufferLayout;isInstanced=void 0;instanceCount=0;vertexCount;indexCount;firstVertex;firstIndex;indexBuffer=null;bufferAttributes={};constantAttributes={};bindings={};vertexArray;transformFeedback=null;pipeline;shaderInputs;material=null;_uniformStore;_attributeInfos={};_gpuGeometry=null;props;_dynamicIndexBufferSource=null;_dynamicAttributeBufferSources={};_colorAttachmentFormats;_depthStencilAttachmentFormat;_pipelineNeedsUpdate="newly created";_needsRedraw="initializing";_drawBlockedReason=!1;_destroyed=!1;_vertexCountSet=!1;_lastDrawTimestamp=-1;_bindingTable=[];get[Symbol.toStringTag](){return"Model"}toString(){return`Model(${this.id})`}constructor(e,t){let n=r.defaultProps.shaderAssembler,i=t.vertexCount!==void 0;this.props={...r.defaultProps,...t,shaderAssembler:t.shaderAssembler??(dy(n,e.info.shadingLanguage)?n:Mr.getDefaultShaderAssembler(e.info.shadingLanguage))},this._vertexCountSet=i,t=this.props,this.id=t.id||Pn("model"),this.device=e,Object.assign(this.userData,t.userData),this.material=t.material||null;let s=tU(e),o=kc(this.props.plugins,s.shaderLanguage),a=Oc(this.props.modules,o.modules),c=Object.fromEntries(a.map(h=>[h.name,h])),l=t.shaderInputs||new ma(c,{disableWarnings:this.props.disableWarnings});t.shaderInputs&&o.modules.length>0&&l.addModules(o.modules),this.setShaderInputs(l);let u=Ed(this.props.modules,l.getModules()),f={...o.defines,...this.props.defines};if(this.device.type==="webgl"&&(this.props._uniformBlockLayouts=nT(u)),this.props.shaderLayout=pa(this.props.shaderLayout,u)||null,this.device.type==="webgpu"&&this.props.source){let h=this.props.shaderAssembler;_i(dy(h,"wgsl"));let{source:p,getUniforms:m,bindingTable:b,shaderLayout:w}=h.assembleWGSLShader({platformInfo:s,...this.props,modules:u,defines:f,pluginInjections:o.injections,pluginVertexInputs:o.vertexInputs,pluginVaryings:o.varyings});this.source=p,this._getModuleUniforms=m,this._bindingTable=b;let _=w??e.getShaderLayout?.(this.source),x=KF(_,o.vertexInputs),E=rT(this.props.shaderLayout,x,Object.keys(o.vertexInputs));this.props.shaderLayout=pa(E||null,u)||null}else{let h=this.props.shaderAssembler;_i(dy(h,"glsl"));let{vs:p,fs:m,getUniforms:b}=h.assembleGLSLShaderPair({platformInfo:s,...this.props,modules:u,defines:f,pluginInjections:o.injections,pluginVertexInputs:o.vertexInputs,pluginVaryings:o.varyings});this.vs=p,this.fs=m,this._getModuleUniforms=b,this._bindingTable=[]}this.vertexCount=this.props.vertexCount,this.indexCount=this.props.indexCount,this.firstVertex=this.props.firstVertex,this.firstIndex=this.props.firstIndex,this.instanceCount=this.props.instanceCount,this.topology=this.props.topology,this.bufferLayout=this.props.bufferLayout,this.parameters=this.props.parameters,this._colorAttachmentFormats=this.props.colorAttachmentFormats,this._depthStencilAttachmentFormat=this.props.depthStencilAttachmentFormat,t.geometry&&this.setGeometry(t.geometry),this.pipelineFactory=t.pipelineFactory||gs.getDefaultPipelineFactory(this.device),this.shaderFactory=t.shaderFactory||bs.getDefaultShaderFactory(this.device),this.pipeline=this._updatePipeline(),this.vertexArray=e.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry),"isInstanced"in t&&(this.isInstanced=t.isInstanced),t.instanceCount&&this.setInstanceCount(t.instanceCount),t.vertexCount&&this.setVertexCount(t.vertexCount),t.indexBuffer&&this.setIndexBuffer(t.indexBuffer),t.attributes&&this.setAttributes(t.attributes),t.constantAttributes&&this.setConstantAttributes(t.constantAttributes),t.bindings&&this.setBindings(t.bindings),t.transformFeedback&&(this.transformFeedback=t.transformFeedback)}destroy(){this._destroyed||(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.pipeline.vs),this.pipeline.fs&&this.pipeline.fs!==this.pipeline.vs&&this.shaderFactory.release(this.pipeline.fs),this._uniformStore.destroy(),this._gpuGeometry?.destroy(),this._destroyed=!0)}needsRedraw(){this._getBindingsUpdateTimestamp()>this._lastDrawTimestamp&&this.setNeedsRedraw("contents of bound textures or buffers updated");let e=this._needsRedraw;return this._needsRedraw=!1,e}setNeedsRedraw(e){this._needsRedraw||=e}getBindingDebugTable(){return this._bindingTable}predraw(e){this._syncDynamicBuffers(),this.updateShaderInputs(e),this.material?.updateShaderInputs(e),this.pipeline=this._updatePipeline()}draw(e){if(this._drawBlockedReason&&!this._pipelineNeedsUpdate)return k.info(An,`>>> DRAWING ABORTED ${this.id}: ${this._drawBlockedReason}`)(),!1;let t=this._areBindingsLoading();if(t)return k.info(An,`>>> DRAWING ABORTED ${this.id}: ${t} not loaded`)(),!1;this._syncAttachmentFormats(e);try{e.pushDebugGroup(`${this}.predraw(${e})`),this.device.type==="webgpu"?(this.updateShaderInputs(),this.material?.updateShaderInputs(),this._syncDynamicBuffers(),this.pipeline=this._updatePipeline()):this.predraw(this.device.commandEncoder)}finally{e.popDebugGroup()}let n,i=this.pipeline.isErrored;try{if(e.pushDebugGroup(`${this}.draw(${e})`),this._logDrawCallStart(),this.pipeline=this._updatePipeline(),i=this.pipeline.isErrored,i)k.info(An,`>>> DRAWING ABORTED ${this.id}: ${fy}`)(),n=!1;else{let s=this.vertexArray.getDrawValidationError();if(s)k.info(An,`>>> DRAWING ABORTED ${this.id}: ${s}`)(),this._drawBlockedReason=s,n=!1;else{let o=this._getCurrentShaderLayout(),a=this._getBindings(o),c=this._getBindGroups(o,a),{indexBuffer:l}=this.vertexArray,u=l?this.indexCount??(this._vertexCountSet?this.vertexCount:l.byteLength/(l.indexType==="uint32"?4:2)):void 0;e.setPipeline(this.pipeline),e.setBindings(c,{_bindGroupCacheKeys:this._getBindGroupCacheKeys()}),e.setVertexArray(this.vertexArray),n=this.isInstanced===!0&&this.instanceCount===0?!0:e.draw({isInstanced:this.isInstanced,vertexCount:this.vertexCount,instanceCount:this.isInstanced?this.instanceCount:void 0,indexCount:u,firstVertex:this.firstVertex,firstIndex:this.firstIndex,transformFeedback:this.transformFeedback||void 0,uniforms:this.props.uniforms,parameters:this.parameters,topology:this.topology})}}}finally{e.popDebugGroup(),this._logDrawCallEnd()}return this._logFramebuffer(e),n?(this._lastDrawTimestamp=this.device.timestamp,this._needsRedraw=!1):i?(this._needsRedraw=fy,this._drawBlockedReason=fy):this._drawBlockedReason?this._needsRedraw=this._drawBlockedReason:this._needsRedraw="waiting for resource initialization",n}setGeometry(e){this._gpuGeometry?.destroy();let t=e&&WS(this.device,e);if(t){this.setTopology(t.topology||"triangle-list");let n=new ha(this.bufferLayout);this.bufferLayout=n.mergeBufferLayouts(t.bufferLayout,this.bufferLayout),this.vertexArray&&this._setGeometryAttributes(t)}this._gpuGeometry=t}setTopology(e){e!==this.topology&&(this.topology=e,this._setPipelineNeedsUpdate("topology"))}setBufferLayout(e){let t=new ha(this.bufferLayout),n=this._gpuGeometry?t.mergeBufferLayouts(e,this._gpuGeometry.bufferLayout):e;da(n,this.bufferLayout,-1)||(this.bufferLayout=n,this._setPipelineNeedsUpdate("bufferLayout"),this.pipeline=this._updatePipeline(),this.vertexArray=this.device.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry))}setParameters(e){da(e,this.parameters,2)||(this.parameters=e,this._setPipelineNeedsUpdate("parameters"))}setInstanceCount(e){this.instanceCount=e,this.isInstanced===void 0&&e>0&&(this.isInstanced=!0),this.setNeedsRedraw("instanceCount")}setVertexCount(e){this.vertexCount=e,this._vertexCountSet=!0,this.setNeedsRedraw("vertexCount")}setIndexCount(e){this.indexCount=e,this.setNeedsRedraw("indexCount")}setDrawOffsets({firstVertex:e,firstIndex:t}){this.firstVertex=e,this.firstIndex=t,this.setNeedsRedraw("drawOffsets")}setShaderInputs(e){this.shaderInputs=e,this._uniformStore=new xs(this.device,this.shaderInputs.modules);for(let[t,n]of Object.entries(this.shaderInputs.modules))if(ll(n)&&!this.material?.ownsModule(t)){let i=this._uniformStore.getManagedUniformBuffer(t);this.bindings[`${t}Uniforms`]=i}this.setNeedsRedraw("shaderInputs")}setMaterial(e){this.material=e,this.setNeedsRedraw("material")}updateShaderInputs(e){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues(),e),this.setBindings(this._getNonMaterialBindings(this.shaderInputs.getBindingValues())),this.setNeedsRedraw("shaderInputs")}setBindings(e){Object.assign(this.bindings,e),this.setNeedsRedraw("bindings")}setTransformFeedback(e){this.transformFeedback=e,this.setNeedsRedraw("transformFeedback")}setIndexBuffer(e){let t=e instanceof Et?e.buffer:e;this.indexBuffer=t,this._dynamicIndexBufferSource=e instanceof Et?{source:e,generation:e.generation}:null,this.vertexArray.setIndexBuffer(t),this.setNeedsRedraw("indexBuffer")}setAttributes(e,t){this._drawBlockedReason=!1;let n=t?.disableWarnings??this.props.disableWarnings;e.indices&&k.warn(`Model:${this.id} setAttributes() - indexBuffer should be set using setIndexBuffer()`)(),this.bufferLayout=eT(this.pipeline.shaderLayout,this.bufferLayout);let i=new ha(this.bufferLayout);for(let[s,o]of Object.entries(e)){let a=o instanceof Et?o.buffer:o,c=i.getBufferLayout(s);if(!c){n||k.warn(`Model(${this.id}): Missing layout for buffer "${s}".`)();continue}let l=i.getAttributeNamesForBuffer(c),u=!1;for(let f of l){let d=this._attributeInfos[f];if(d){let h=this.device.type==="webgpu"?this.vertexArray.getBufferSlot(d.bufferName):d.location;if(h===null){n||k.warn(`Model(${this.id}): Missing vertex array slot for buffer "${d.bufferName}".`)();continue}this.vertexArray.setBuffer(h,a),o instanceof Et?this._dynamicAttributeBufferSources[h]={source:o,generation:o.generation}:delete this._dynamicAttributeBufferSources[h],u=!0}}!u&&!n&&k.warn(`Model(${this.id}): Ignoring buffer "${a.id}" for unknown attribute "${s}"`)()}this.setNeedsRedraw("attributes")}setConstantAttributes(e,t){for(let[n,i]of Object.entries(e)){let s=this._attributeInfos[n];s?this.vertexArray.setConstantWebGL(s.location,i):(t?.disableWarnings??this.props.disableWarnings)||k.warn(`Model "${this.id}: Ignoring constant supplied for unknown attribute "${n}"`)()}this.setNeedsRedraw("constants")}_areBindingsLoading(){for(let e of Object.values(this.bindings))if(fl(e)&&!e.isReady)return e.id;for(let e of Object.values(this.material?.bindings||{}))if(fl(e)&&!e.isReady)return e.id;return!1}_getBindings(e=this._getCurrentShaderLayout()){let t={};for(let[n,i]of Object.entries(this.bindings)){let s=QF(n,i,e);s&&(t[n]=s)}return t}_getBindGroups(e=this._getCurrentShaderLayout(),t=this._getBindings(e)){let n=e.bindings.length?ys(e,t):{0:t};if(!this.material)return n;for(let[i,s]of Object.entries(this.material.getBindingsByGroup(e))){let o=Number(i);n[o]={...n[o]||{},...s}}return n}_getBindGroupCacheKeys(){let e=this.material?.getBindGroupCacheKey(3);return e?{3:e}:{}}_getBindingsUpdateTimestamp(){let e=0;this._dynamicIndexBufferSource&&(e=Math.max(e,this._dynamicIndexBufferSource.source.updateTimestamp));for(let t of Object.values(this._dynamicAttributeBufferSources))e=Math.max(e,t.source.updateTimestamp);for(let t of Object.values(this.bindings))t instanceof hs?e=Math.max(e,t.texture.updateTimestamp):t instanceof re||t instanceof de||t instanceof vc||t instanceof Et?e=Math.max(e,t.updateTimestamp):fl(t)?e=t.isReady?Math.max(e,t.updateTimestamp):1/0:ly(t)&&(e=Math.max(e,(t.buffer instanceof Et,t.buffer.updateTimestamp)));return Math.max(e,this.material?.getBindingsUpdateTimestamp()||0)}_setGeometryAttributes(e){let t={...e.attributes};for(let[n]of Object.entries(t))!this.pipeline.shaderLayout.attributes.find(i=>i.name===n)&&n!=="positions"&&delete t[n];this.vertexCount=e.vertexCount,this._vertexCountSet=!0,this.setIndexBuffer(e.indices||null),this.setAttributes(e.attributes,{disableWarnings:!0}),this.setAttributes(t,{disableWarnings:this.props.disableWarnings}),this.setNeedsRedraw("geometry attributes")}_setPipelineNeedsUpdate(e){this._pipelineNeedsUpdate||=e,this._drawBlockedReason=!1,this.setNeedsRedraw(e)}_updatePipeline(){if(this._pipelineNeedsUpdate){let e=null,t=null;this.pipeline&&(k.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),e=this.pipeline.vs,t=this.pipeline.fs),this._pipelineNeedsUpdate=!1;let n=this.shaderFactory.createShader({id:`${this.id}-vertex`,stage:"vertex",source:this.source||this.vs,debugShaders:this.props.debugShaders}),i=null;this.source?i=n:this.fs&&(i=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:"fragment",source:this.source||this.fs,debugShaders:this.props.debugShaders})),this.pipeline=this.pipelineFactory.createRenderPipeline({...this.props,bindings:void 0,bufferLayout:this.bufferLayout,colorAttachmentFormats:this._colorAttachmentFormats,depthStencilAttachmentFormat:this._depthStencilAttachmentFormat,topology:this.topology,parameters:this.parameters,bindGroups:void 0,vs:n,fs:i}),this._attributeInfos=Bc(this.pipeline.shaderLayout,this.bufferLayout),e&&this.shaderFactory.release(e),t&&t!==e&&this.shaderFactory.release(t)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let e=k.level>3?0:XF;k.level<2||Date.now()-this._lastLogTime<e||(this._lastLogTime=Date.now(),this._logOpen=!0,k.group(An,`>>> DRAWING MODEL ${this.id}`,{collapsed:k.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let e=HS(this.pipeline.shaderLayout,this.id);k.table(An,e)();let t=this.shaderInputs.getDebugTable();k.table(An,t)();let n=this._getAttributeDebugTable();k.table(An,this._attributeInfos)(),k.table(An,n)(),k.groupEnd(An)(),this._logOpen=!1}}_drawCount=0;_logFramebuffer(e){let t=this.device.props.debugFramebuffers;if(this._drawCount++,!t)return;let n=e.props.framebuffer;ZS(e,n,{id:n?.id||`${this.id}-framebuffer`,minimap:!0})}_getAttributeDebugTable(){let e={};for(let[t,n]of Object.entries(this._attributeInfos)){let i=this.vertexArray.attributes[n.location];e[n.location]={name:t,type:n.shaderType,values:i?this._getBufferOrConstantValues(i,n.bufferDataType):"null"}}if(this.vertexArray.indexBuffer){let{indexBuffer:t}=this.vertexArray,n=t.indexType==="uint32"?new Uint32Array(t.debugData):new Uint16Array(t.debugData);e.indices={name:"indices",type:t.indexType,values:n.toString()}}return e}_getBufferOrConstantValues(e,t){let n=yt.getTypedArrayConstructor(t);return(e instanceof re?new n(e.debugData):e).toString()}_getNonMaterialBindings(e){if(!this.material)return e;let t={};for(let[n,i]of Object.entries(e))this.material.ownsBinding(n)||(t[n]=i);return t}_getCurrentShaderLayout(){return this.pipeline?.shaderLayout||this.props.shaderLayout||{bindings:[]}}_syncDynamicBuffers(){if(this._dynamicIndexBufferSource&&this._dynamicIndexBufferSource.generation!==this._dynamicIndexBufferSource.source.generation){let e=this._dynamicIndexBufferSource.source.buffer;this.indexBuffer=e,this.vertexArray.setIndexBuffer(e),this._dynamicIndexBufferSource.generation=this._dynamicIndexBufferSource.source.generation,this.setNeedsRedraw("dynamic index buffer")}for(let[e,t]of Object.entries(this._dynamicAttributeBufferSources))t.generation!==t.source.generation&&(this.vertexArray.setBuffer(Number(e),t.source.buffer),t.generation=t.source.generation,this.setNeedsRedraw("dynamic attribute buffer"))}_syncAttachmentFormats(e){if(this.device.type!=="webgpu")return;let t=e.framebuffer||e.props.framebuffer,n=e.props,i=n.colorAttachmentFormats??t?.colorAttachments?.map(o=>JF(o?.texture?.format)),s=n.depthStencilAttachmentFormat===!1?void 0:n.depthStencilAttachmentFormat??eU(t?.depthStencilAttachment?.texture?.format);(!da(this._colorAttachmentFormats,i,1)||this._depthStencilAttachmentFormat!==s)&&(this._colorAttachmentFormats=i,this._depthStencilAttachmentFormat=s,this._setPipelineNeedsUpdate("attachment formats"))}}});var rU,nU,St,fT=P(()=>{J();Wt();hy();rU=35980,nU=35981,St=class r{device;model;transformFeedback;static defaultProps={...jt.defaultProps,feedbackBufferMode:"separate",outputs:void 0,feedbackBuffers:void 0};static isSupported(e){return e?.info?.type==="webgl"}constructor(e,t=r.defaultProps){if(!r.isSupported(e))throw new Error("BufferTransform not yet implemented on WebGPU");this.device=e,this.model=new jt(this.device,{id:t.id||"buffer-transform-model",fs:t.fs||Hg(),topology:t.topology||"point-list",varyings:t.outputs||t.varyings,...t,bufferMode:t.bufferMode||(t.feedbackBufferMode==="interleaved"?rU:nU)}),this.transformFeedback=this.device.createTransformFeedback({layout:this.model.pipeline.shaderLayout,buffers:t.feedbackBuffers}),this.model.setTransformFeedback(this.transformFeedback)}destroy(){this.model&&this.model.destroy()}delete(){this.destroy()}run(e){e?.inputBuffers&&this.model.setAttributes(e.inputBuffers),e?.outputBuffers&&this.transformFeedback.setBuffers(e.outputBuffers);let t=this.device.beginRenderPass({discard:!0,...e});this.model.draw(t),t.end()}getBuffer(e){return this.transformFeedback.getBuffer(e)}readAsync(e){let t=this.getBuffer(e);if(!t)throw new Error("BufferTransform#getBuffer");if(t instanceof re)return t.readAsync();let{buffer:n,byteOffset:i=0,byteLength:s=n.byteLength}=t;return n.readAsync(i,s)}}});function sU(r){return{type:r.type,shaderLanguage:r.info.shadingLanguage,shaderLanguageVersion:r.info.shadingLanguageVersion,gpu:r.info.gpu,limits:r.limits,features:r.features}}var py,iU,dr,dT=P(()=>{J();Wt();Im();cy();iy();fa();py=2,iU=1e4,dr=class r{static defaultProps={...vi.defaultProps,id:"unnamed",handle:void 0,userData:{},source:"",modules:[],defines:{},plugins:[],bindings:void 0,shaderInputs:void 0,pipelineFactory:void 0,shaderFactory:void 0,shaderAssembler:Mr.getDefaultShaderAssembler("wgsl"),debugShaders:void 0};device;id;pipelineFactory;shaderFactory;userData={};bindings={};pipeline;source;shader;shaderInputs;_uniformStore;_pipelineNeedsUpdate="newly created";_getModuleUniforms;props;_destroyed=!1;constructor(e,t){if(e.type!=="webgpu")throw new Error("Computation is only supported in WebGPU");this.props={...r.defaultProps,...t},t=this.props,this.id=t.id||Pn("model"),this.device=e,Object.assign(this.userData,t.userData);let n=sU(e),i=kc(this.props.plugins,n.shaderLanguage);if(Object.keys(i.vertexInputs).length>0||Object.keys(i.varyings).length>0)throw new Error("Computation does not support ShaderPlugin vertex inputs or varyings");let s=Oc(this.props.modules,i.modules),o=Object.fromEntries(s.map(p=>[p.name,p]));this.shaderInputs=t.shaderInputs||new ma(o),t.shaderInputs&&i.modules.length>0&&this.shaderInputs.addModules(i.modules),this.setShaderInputs(this.shaderInputs);let a=Ed(this.props.modules,this.shaderInputs?.getModules()),c={...i.defines,...this.props.defines};this.props.shaderLayout=pa(this.props.shaderLayout,a)||null,this.pipelineFactory=t.pipelineFactory||gs.getDefaultPipelineFactory(this.device),this.shaderFactory=t.shaderFactory||bs.getDefaultShaderFactory(this.device);let l=this.props.shaderAssembler;_i(l instanceof Si);let{source:u,getUniforms:f,shaderLayout:d}=l.assembleWGSLShader({platformInfo:n,...this.props,modules:a,defines:c,scanVertexAttributes:!1,pluginInjections:i.injections});this.source=u,this._getModuleUniforms=f;let h=d??e.getShaderLayout?.(this.source,{scanVertexAttributes:!1});this.props.shaderLayout=pa(this.props.shaderLayout||h||null,a)||null,this.pipeline=this._updatePipeline(),t.bindings&&this.setBindings(t.bindings)}destroy(){this._destroyed||(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.shader),this._uniformStore.destroy(),this._destroyed=!0)}predraw(e){this.updateShaderInputs(e)}dispatch(e,t,n,i){try{this._logDrawCallStart(),this._setPipeline(e),e.dispatch(t,n,i)}finally{this._logDrawCallEnd()}}dispatchIndirect(e,t,n=0){try{this._logDrawCallStart(),this._setPipeline(e),e.dispatchIndirect(t,n)}finally{this._logDrawCallEnd()}}_setPipeline(e){this.pipeline=this._updatePipeline(),this.pipeline.setBindings(this.bindings),e.setPipeline(this.pipeline),e.setBindings({})}setVertexCount(e){}setInstanceCount(e){}setShaderInputs(e){this.shaderInputs=e,this._uniformStore=new xs(this.device,this.shaderInputs.modules);for(let[t,n]of Object.entries(this.shaderInputs.modules))if(ll(n)){let i=this._uniformStore.getManagedUniformBuffer(t);this.bindings[`${t}Uniforms`]=i}}setShaderModuleProps(e){let t=this._getModuleUniforms(e),n=Object.keys(t).filter(s=>{let o=t[s];return!lc(o)&&typeof o!="number"&&typeof o!="boolean"}),i={};for(let s of n)i[s]=t[s],delete t[s]}updateShaderInputs(e){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues(),e)}setBindings(e){Object.assign(this.bindings,e)}_setPipelineNeedsUpdate(e){this._pipelineNeedsUpdate=this._pipelineNeedsUpdate||e}_updatePipeline(){if(this._pipelineNeedsUpdate){let e=null;this.pipeline&&(k.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),e=this.shader),this._pipelineNeedsUpdate=!1,this.shader=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:"compute",source:this.source,debugShaders:this.props.debugShaders}),this.pipeline=this.pipelineFactory.createComputePipeline({...this.props,shader:this.shader}),e&&this.shaderFactory.release(e)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let e=k.level>3?0:iU;k.level<2||Date.now()-this._lastLogTime<e||(this._lastLogTime=Date.now(),this._logOpen=!0,k.group(py,`>>> DRAWING MODEL ${this.id}`,{collapsed:k.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let e=this.shaderInputs.getDebugTable();k.table(py,e)(),k.groupEnd(py)(),this._logOpen=!1}}_drawCount=0;_getBufferOrConstantValues(e,t){let n=yt.getTypedArrayConstructor(t);return(e instanceof re?new n(e.debugData):e).toString()}}});var He=P(()=>{FS();VS();hy();fT();wd();uy();dT()});function AT(r=!0){let e=HTMLCanvasElement.prototype;if(!r&&e.originalGetContext){e.getContext=e.originalGetContext,e.originalGetContext=void 0;return}e.originalGetContext=e.getContext,e.getContext=function(t,n){if(t==="webgl"||t==="experimental-webgl"){let i=this.originalGetContext("webgl2",n);return i instanceof HTMLElement&&DU(i),i}return this.originalGetContext(t,n)}}function DU(r){r.getExtension("EXT_color_buffer_float");let e={...IU,WEBGL_disjoint_timer_query:r.getExtension("EXT_disjoint_timer_query_webgl2"),WEBGL_draw_buffers:BU(r),OES_vertex_array_object:kU(r),ANGLE_instanced_arrays:OU(r)},t=r.getExtension.bind(r);r.getExtension=function(i){let s=t(i);return s||(i in e?e[i]:null)};let n=r.getSupportedExtensions;r.getSupportedExtensions=function(){return(n.apply(r)||[])?.concat(Object.keys(e))}}var IU,BU,kU,OU,LT=P(()=>{IU={WEBGL_depth_texture:{UNSIGNED_INT_24_8_WEBGL:34042},OES_element_index_uint:{},OES_texture_float:{},OES_texture_half_float:{HALF_FLOAT_OES:5131},EXT_color_buffer_float:{},OES_standard_derivatives:{FRAGMENT_SHADER_DERIVATIVE_HINT_OES:35723},EXT_frag_depth:{},EXT_blend_minmax:{MIN_EXT:32775,MAX_EXT:32776},EXT_shader_texture_lod:{}},BU=r=>({drawBuffersWEBGL(e){return r.drawBuffers(e)},COLOR_ATTACHMENT0_WEBGL:36064,COLOR_ATTACHMENT1_WEBGL:36065,COLOR_ATTACHMENT2_WEBGL:36066,COLOR_ATTACHMENT3_WEBGL:36067}),kU=r=>({VERTEX_ARRAY_BINDING_OES:34229,createVertexArrayOES(){return r.createVertexArray()},deleteVertexArrayOES(e){return r.deleteVertexArray(e)},isVertexArrayOES(e){return r.isVertexArray(e)},bindVertexArrayOES(e){return r.bindVertexArray(e)}}),OU=r=>({VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE:35070,drawArraysInstancedANGLE(...e){return r.drawArraysInstanced(...e)},drawElementsInstancedANGLE(...e){return r.drawElementsInstanced(...e)},vertexAttribDivisorANGLE(...e){return r.vertexAttribDivisor(...e)}})});async function CT(){if(!Rd){Ty();return}await Rd.load()}function RT(r,e){return Rd?Rd.makeDebugContext(r,e):(Ty(),r)}async function IT(r){if(!Sy){Ty();return}await Sy.load(r)}function BT(r){return Sy?.initialize(r)||null}function Ty(){MT||(MT=!0,k.warn("Import @luma.gl/webgl/debug before enabling WebGL debugging.")())}var Rd,Sy,MT,Py=P(()=>{J();Rd=null,Sy=null,MT=!1});function Ay(r){return Array.isArray(r)||ArrayBuffer.isView(r)&&!(r instanceof DataView)}function We(r,e,t){return e[r]!==void 0?e[r]:t[r]}var Al,Je,kT,hr,OT,Pl,DT,NT,Ly,Rn,My,FT,Cy=P(()=>{Al={3042:!1,32773:new Float32Array([0,0,0,0]),32777:32774,34877:32774,32969:1,32968:0,32971:1,32970:0,3106:new Float32Array([0,0,0,0]),3107:[!0,!0,!0,!0],2884:!1,2885:1029,2929:!1,2931:1,2932:513,2928:new Float32Array([0,1]),2930:!0,3024:!0,35725:null,36006:null,36007:null,34229:null,34964:null,2886:2305,33170:4352,2849:1,32823:!1,32824:0,10752:0,32926:!1,32928:!1,32938:1,32939:!1,3089:!1,3088:new Int32Array([0,0,1024,1024]),2960:!1,2961:0,2968:4294967295,36005:4294967295,2962:519,2967:0,2963:4294967295,34816:519,36003:0,36004:4294967295,2964:7680,2965:7680,2966:7680,34817:7680,34818:7680,34819:7680,2978:[0,0,1024,1024],36389:null,36662:null,36663:null,35053:null,35055:null,35723:4352,36010:null,35977:!1,3333:4,3317:4,37440:!1,37441:!1,37443:37444,3330:0,3332:0,3331:0,3314:0,32878:0,3316:0,3315:0,32877:0},Je=(r,e,t)=>e?r.enable(t):r.disable(t),kT=(r,e,t)=>r.hint(t,e),hr=(r,e,t)=>r.pixelStorei(t,e),OT=(r,e,t)=>{let n=t===36006?36009:36008;return r.bindFramebuffer(n,e)},Pl=(r,e,t)=>{let i={34964:34962,36662:36662,36663:36663,35053:35051,35055:35052}[t];r.bindBuffer(i,e)};DT={3042:Je,32773:(r,e)=>r.blendColor(...e),32777:"blendEquation",34877:"blendEquation",32969:"blendFunc",32968:"blendFunc",32971:"blendFunc",32970:"blendFunc",3106:(r,e)=>r.clearColor(...e),3107:(r,e)=>r.colorMask(...e),2884:Je,2885:(r,e)=>r.cullFace(e),2929:Je,2931:(r,e)=>r.clearDepth(e),2932:(r,e)=>r.depthFunc(e),2928:(r,e)=>r.depthRange(...e),2930:(r,e)=>r.depthMask(e),3024:Je,35723:kT,35725:(r,e)=>r.useProgram(e),36007:(r,e)=>r.bindRenderbuffer(36161,e),36389:(r,e)=>r.bindTransformFeedback?.(36386,e),34229:(r,e)=>r.bindVertexArray(e),36006:OT,36010:OT,34964:Pl,36662:Pl,36663:Pl,35053:Pl,35055:Pl,2886:(r,e)=>r.frontFace(e),33170:kT,2849:(r,e)=>r.lineWidth(e),32823:Je,32824:"polygonOffset",10752:"polygonOffset",35977:Je,32926:Je,32928:Je,32938:"sampleCoverage",32939:"sampleCoverage",3089:Je,3088:(r,e)=>r.scissor(...e),2960:Je,2961:(r,e)=>r.clearStencil(e),2968:(r,e)=>r.stencilMaskSeparate(1028,e),36005:(r,e)=>r.stencilMaskSeparate(1029,e),2962:"stencilFuncFront",2967:"stencilFuncFront",2963:"stencilFuncFront",34816:"stencilFuncBack",36003:"stencilFuncBack",36004:"stencilFuncBack",2964:"stencilOpFront",2965:"stencilOpFront",2966:"stencilOpFront",34817:"stencilOpBack",34818:"stencilOpBack",34819:"stencilOpBack",2978:(r,e)=>r.viewport(...e),34383:Je,10754:Je,12288:Je,12289:Je,12290:Je,12291:Je,12292:Je,12293:Je,12294:Je,12295:Je,3333:hr,3317:hr,37440:hr,37441:hr,37443:hr,3330:hr,3332:hr,3331:hr,3314:hr,32878:hr,3316:hr,3315:hr,32877:hr,framebuffer:(r,e)=>{let t=e&&"handle"in e?e.handle:e;return r.bindFramebuffer(36160,t)},blend:(r,e)=>e?r.enable(3042):r.disable(3042),blendColor:(r,e)=>r.blendColor(...e),blendEquation:(r,e)=>{let t=typeof e=="number"?[e,e]:e;r.blendEquationSeparate(...t)},blendFunc:(r,e)=>{let t=e?.length===2?[...e,...e]:e;r.blendFuncSeparate(...t)},clearColor:(r,e)=>r.clearColor(...e),clearDepth:(r,e)=>r.clearDepth(e),clearStencil:(r,e)=>r.clearStencil(e),colorMask:(r,e)=>r.colorMask(...e),cull:(r,e)=>e?r.enable(2884):r.disable(2884),cullFace:(r,e)=>r.cullFace(e),depthTest:(r,e)=>e?r.enable(2929):r.disable(2929),depthFunc:(r,e)=>r.depthFunc(e),depthMask:(r,e)=>r.depthMask(e),depthRange:(r,e)=>r.depthRange(...e),dither:(r,e)=>e?r.enable(3024):r.disable(3024),derivativeHint:(r,e)=>{r.hint(35723,e)},frontFace:(r,e)=>r.frontFace(e),mipmapHint:(r,e)=>r.hint(33170,e),lineWidth:(r,e)=>r.lineWidth(e),polygonOffsetFill:(r,e)=>e?r.enable(32823):r.disable(32823),polygonOffset:(r,e)=>r.polygonOffset(...e),sampleCoverage:(r,e)=>r.sampleCoverage(e[0],e[1]||!1),scissorTest:(r,e)=>e?r.enable(3089):r.disable(3089),scissor:(r,e)=>r.scissor(...e),stencilTest:(r,e)=>e?r.enable(2960):r.disable(2960),stencilMask:(r,e)=>{e=Ay(e)?e:[e,e];let[t,n]=e;r.stencilMaskSeparate(1028,t),r.stencilMaskSeparate(1029,n)},stencilFunc:(r,e)=>{e=Ay(e)&&e.length===3?[...e,...e]:e;let[t,n,i,s,o,a]=e;r.stencilFuncSeparate(1028,t,n,i),r.stencilFuncSeparate(1029,s,o,a)},stencilOp:(r,e)=>{e=Ay(e)&&e.length===3?[...e,...e]:e;let[t,n,i,s,o,a]=e;r.stencilOpSeparate(1028,t,n,i),r.stencilOpSeparate(1029,s,o,a)},viewport:(r,e)=>r.viewport(...e)};NT={blendEquation:(r,e,t)=>r.blendEquationSeparate(We(32777,e,t),We(34877,e,t)),blendFunc:(r,e,t)=>r.blendFuncSeparate(We(32969,e,t),We(32968,e,t),We(32971,e,t),We(32970,e,t)),polygonOffset:(r,e,t)=>r.polygonOffset(We(32824,e,t),We(10752,e,t)),sampleCoverage:(r,e,t)=>r.sampleCoverage(We(32938,e,t),We(32939,e,t)),stencilFuncFront:(r,e,t)=>r.stencilFuncSeparate(1028,We(2962,e,t),We(2967,e,t),We(2963,e,t)),stencilFuncBack:(r,e,t)=>r.stencilFuncSeparate(1029,We(34816,e,t),We(36003,e,t),We(36004,e,t)),stencilOpFront:(r,e,t)=>r.stencilOpSeparate(1028,We(2964,e,t),We(2965,e,t),We(2966,e,t)),stencilOpBack:(r,e,t)=>r.stencilOpSeparate(1029,We(34817,e,t),We(34818,e,t),We(34819,e,t))},Ly={enable:(r,e)=>r({[e]:!0}),disable:(r,e)=>r({[e]:!1}),pixelStorei:(r,e,t)=>r({[e]:t}),hint:(r,e,t)=>r({[e]:t}),useProgram:(r,e)=>r({35725:e}),bindRenderbuffer:(r,e,t)=>r({36007:t}),bindTransformFeedback:(r,e,t)=>r({36389:t}),bindVertexArray:(r,e)=>r({34229:e}),bindFramebuffer:(r,e,t)=>{switch(e){case 36160:return r({36006:t,36010:t});case 36009:return r({36006:t});case 36008:return r({36010:t});default:return null}},bindBuffer:(r,e,t)=>{let n={34962:[34964],36662:[36662],36663:[36663],35051:[35053],35052:[35055]}[e];return n?r({[n]:t}):{valueChanged:!0}},blendColor:(r,e,t,n,i)=>r({32773:new Float32Array([e,t,n,i])}),blendEquation:(r,e)=>r({32777:e,34877:e}),blendEquationSeparate:(r,e,t)=>r({32777:e,34877:t}),blendFunc:(r,e,t)=>r({32969:e,32968:t,32971:e,32970:t}),blendFuncSeparate:(r,e,t,n,i)=>r({32969:e,32968:t,32971:n,32970:i}),clearColor:(r,e,t,n,i)=>r({3106:new Float32Array([e,t,n,i])}),clearDepth:(r,e)=>r({2931:e}),clearStencil:(r,e)=>r({2961:e}),colorMask:(r,e,t,n,i)=>r({3107:[e,t,n,i]}),cullFace:(r,e)=>r({2885:e}),depthFunc:(r,e)=>r({2932:e}),depthRange:(r,e,t)=>r({2928:new Float32Array([e,t])}),depthMask:(r,e)=>r({2930:e}),frontFace:(r,e)=>r({2886:e}),lineWidth:(r,e)=>r({2849:e}),polygonOffset:(r,e,t)=>r({32824:e,10752:t}),sampleCoverage:(r,e,t)=>r({32938:e,32939:t}),scissor:(r,e,t,n,i)=>r({3088:new Int32Array([e,t,n,i])}),stencilMask:(r,e)=>r({2968:e,36005:e}),stencilMaskSeparate:(r,e,t)=>r({[e===1028?2968:36005]:t}),stencilFunc:(r,e,t,n)=>r({2962:e,2967:t,2963:n,34816:e,36003:t,36004:n}),stencilFuncSeparate:(r,e,t,n,i)=>r({[e===1028?2962:34816]:t,[e===1028?2967:36003]:n,[e===1028?2963:36004]:i}),stencilOp:(r,e,t,n)=>r({2964:e,2965:t,2966:n,34817:e,34818:t,34819:n}),stencilOpSeparate:(r,e,t,n,i)=>r({[e===1028?2964:34817]:t,[e===1028?2965:34818]:n,[e===1028?2966:34819]:i}),viewport:(r,e,t,n,i)=>r({2978:[e,t,n,i]})},Rn=(r,e)=>r.isEnabled(e),My={3042:Rn,2884:Rn,2929:Rn,3024:Rn,32823:Rn,32926:Rn,32928:Rn,3089:Rn,2960:Rn,35977:Rn},FT=new Set([34016,36388,36387,35983,35368,34965,35739,35738,3074,34853,34854,34855,34856,34857,34858,34859,34860,34861,34862,34863,34864,34865,34866,34867,34868,35097,32873,35869,32874,34068])});function Qr(r,e){if(NU(e))return;let t={};for(let i in e){let s=Number(i),o=DT[i];o&&(typeof o=="string"?t[o]=!0:o(r,e[i],s))}let n=r.lumaState?.cache;if(n)for(let i in t){let s=NT[i];s(r,e,n)}}function Id(r,e=Al){if(typeof e=="number"){let i=e,s=My[i];return s?s(r,i):r.getParameter(i)}let t=Array.isArray(e)?e:Object.keys(e),n={};for(let i of t){let s=My[i];n[i]=s?s(r,Number(i)):r.getParameter(Number(i))}return n}function UT(r){Qr(r,Al)}function NU(r){for(let e in r)return!1;return!0}var _a=P(()=>{Cy()});function GT(r,e){if(r===e)return!0;if(zT(r)&&zT(e)&&r.length===e.length){for(let t=0;t<r.length;++t)if(r[t]!==e[t])return!1;return!0}return!1}function zT(r){return Array.isArray(r)||ArrayBuffer.isView(r)}var $T=P(()=>{});function VT(r,e){let t=r[e].bind(r);r[e]=function(i){if(i===void 0||FT.has(i))return t(i);let s=Jr.get(r);return i in s.cache||(s.cache[i]=t(i)),s.enable?s.cache[i]:t(i)},Object.defineProperty(r[e],"name",{value:`${e}-from-cache`,configurable:!1})}function FU(r,e,t){if(!r[e])return;let n=r[e].bind(r);r[e]=function(...s){let o=Jr.get(r),{valueChanged:a,oldValue:c}=t(o._updateCache,...s);return a&&n(...s),c},Object.defineProperty(r[e],"name",{value:`${e}-to-cache`,configurable:!1})}function UU(r){let e=r.useProgram.bind(r);r.useProgram=function(n){let i=Jr.get(r);i.program!==n&&(e(n),i.program=n)}}var Jr,Ry=P(()=>{_a();$T();Cy();Jr=class{static get(e){return e.lumaState}gl;program=null;stateStack=[];enable=!0;cache=null;log;initialized=!1;constructor(e,t){this.gl=e,this.log=t?.log||(()=>{}),this._updateCache=this._updateCache.bind(this),Object.seal(this)}push(e={}){this.stateStack.push({})}pop(){let e=this.stateStack[this.stateStack.length-1];Qr(this.gl,e),this.stateStack.pop()}trackState(e,t){if(this.cache=t?.copyState?Id(e):Object.assign({},Al),this.initialized)throw new Error("WebGLStateTracker");this.initialized=!0,this.gl.lumaState=this,UU(e);for(let n in Ly){let i=Ly[n];FU(e,n,i)}VT(e,"getParameter"),VT(e,"isEnabled")}_updateCache(e){let t=!1,n,i=this.stateStack.length>0?this.stateStack[this.stateStack.length-1]:null;for(let s in e){let o=e[s],a=this.cache[s];GT(o,a)||(t=!0,n=a,i&&!(s in i)&&(i[s]=a),this.cache[s]=o)}return{valueChanged:t,oldValue:n}}}});function Ll(r){let e=r.luma||{_polyfilled:!1,extensions:{},softwareRenderer:!1};return e._polyfilled??=!1,e.extensions||={},r.luma=e,e}var Iy=P(()=>{});function WT(r,e,t){let n="",i=c=>{let l=c.statusMessage;l&&(n||=l)};r.addEventListener("webglcontextcreationerror",i,!1);let s=t.failIfMajorPerformanceCaveat!==!0,o={preserveDrawingBuffer:!0,...t,failIfMajorPerformanceCaveat:!0},a=null;try{a||=r.getContext("webgl2",o),!a&&o.failIfMajorPerformanceCaveat&&(n||="Only software GPU is available. Set `failIfMajorPerformanceCaveat: false` to allow.");let c=!1;if(!a&&s&&(o.failIfMajorPerformanceCaveat=!1,a=r.getContext("webgl2",o),c=!0),a||(a=r.getContext("webgl",{}),a&&(a=null,n||="Your browser only supports WebGL1")),!a)throw n||="Your browser does not support WebGL",new Error(`Failed to create WebGL context: ${n}`);let l=Ll(a);l.softwareRenderer=c;let{onContextLost:u,onContextRestored:f}=e;return r.addEventListener("webglcontextlost",d=>u(d),!1),r.addEventListener("webglcontextrestored",d=>f(d),!1),a}finally{r.removeEventListener("webglcontextcreationerror",i,!1)}}var jT=P(()=>{Iy()});function en(r,e,t){return t[e]===void 0&&(t[e]=r.getExtension(e)||null),t[e]}var Ml=P(()=>{});function HT(r,e){let t=r.getParameter(7936),n=r.getParameter(7937);en(r,"WEBGL_debug_renderer_info",e);let i=e.WEBGL_debug_renderer_info,s=r.getParameter(i?i.UNMASKED_VENDOR_WEBGL:7936),o=r.getParameter(i?i.UNMASKED_RENDERER_WEBGL:7937),a=s||t,c=o||n,l=r.getParameter(7938),u=YT(a,c),f=zU(a,c),d=GU(a,c);return{type:"webgl",gpu:u,gpuType:d,gpuBackend:f,vendor:a,renderer:c,version:l,shadingLanguage:"glsl",shadingLanguageVersion:300}}function YT(r,e){return/NVIDIA/i.exec(r)||/NVIDIA/i.exec(e)?"nvidia":/INTEL/i.exec(r)||/INTEL/i.exec(e)?"intel":/Apple/i.exec(r)||/Apple/i.exec(e)?"apple":/AMD/i.exec(r)||/AMD/i.exec(e)||/ATI/i.exec(r)||/ATI/i.exec(e)?"amd":/SwiftShader/i.exec(r)||/SwiftShader/i.exec(e)?"software":"unknown"}function zU(r,e){return/Metal/i.exec(r)||/Metal/i.exec(e)?"metal":/ANGLE/i.exec(r)||/ANGLE/i.exec(e)?"opengl":"unknown"}function GU(r,e){if(/SwiftShader/i.exec(r)||/SwiftShader/i.exec(e))return"cpu";switch(YT(r,e)){case"apple":return $U(r,e)?"integrated":"unknown";case"intel":return"integrated";case"software":return"cpu";case"unknown":return"unknown";default:return"discrete"}}function $U(r,e){return/Apple (M\d|A\d|GPU)/i.test(`${r} ${e}`)}var qT=P(()=>{Ml()});function Bd(r){switch(r){case"uint8":return 5121;case"sint8":return 5120;case"unorm8":return 5121;case"snorm8":return 5120;case"uint16":return 5123;case"sint16":return 5122;case"unorm16":return 5123;case"snorm16":return 5122;case"uint32":return 5125;case"sint32":return 5124;case"float16":return 5131;case"float32":return 5126}throw new Error(String(r))}var By=P(()=>{});function KT(r){return r in Od}function Fy(r,e,t){return QT(r,e,t,new Set)}function QT(r,e,t,n){let i=Od[e];if(!i||n.has(e))return!1;n.add(e);let s=(i.features||[]).every(o=>QT(r,o,t,n));return n.delete(e),s?(i.extensions||[]).every(o=>!!en(r,o,t)):!1}function JT(r,e,t){let n=e.create,i=Dd[e.format];i?.gl===void 0&&(n=!1),i?.x&&(n=n&&!!en(r,i.x,t)),e.format==="stencil8"&&(n=!1);let s=i?.r===!1?!1:i?.r===void 0||Fy(r,i.r,t),o=n&&e.render&&s&&ZU(r,e.format,t);return{format:e.format,create:n&&e.create,render:o,filter:n&&e.filter,blend:n&&e.blend,store:n&&e.store}}function ZU(r,e,t){let n=Dd[e],i=n?.gl;if(i===void 0||n?.x&&!en(r,n.x,t))return!1;let s=r.getParameter(32873),o=r.getParameter(36006),a=r.createTexture(),c=r.createFramebuffer();if(!a||!c)return!1;let l=0,u=Number(r.getError());for(;u!==l;)u=r.getError();let f=!1;try{if(r.bindTexture(3553,a),r.texStorage2D(3553,1,i,1,1),Number(r.getError())!==l)return!1;r.bindFramebuffer(36160,c),r.framebufferTexture2D(36160,36064,3553,a,0),f=Number(r.checkFramebufferStatus(36160))===36053&&Number(r.getError())===l}finally{r.bindFramebuffer(36160,o),r.deleteFramebuffer(c),r.bindTexture(3553,s),r.deleteTexture(a)}return f}function Nd(r){let e=Dd[r],t=QU(r),n=Nt.getInfo(r);return n.compressed&&(e.dataFormat=t),{internalFormat:t,format:e?.dataFormat||KU(n.channels,n.integer,n.normalized,t),type:n.dataType?Bd(n.dataType):e?.types?.[0]||5121,compressed:n.compressed||!1}}function eP(r){switch(Nt.getInfo(r).attachment){case"depth":return 36096;case"stencil":return 36128;case"depth-stencil":return 33306;default:throw new Error(`Not a depth stencil format: ${r}`)}}function KU(r,e,t,n){if(n===6408||n===6407)return n;switch(r){case"r":return e&&!t?36244:6403;case"rg":return e&&!t?33320:33319;case"rgb":return e&&!t?36248:6407;case"rgba":return e&&!t?36249:6408;case"bgra":throw new Error("bgra pixels not supported by WebGL");default:return 6408}}function QU(r){let t=Dd[r]?.gl;if(t===void 0)throw new Error(`Unsupported texture format ${r}`);return t}var Cl,Rl,xa,wa,VU,WU,jU,HU,YU,qU,XT,ZT,ky,Oy,Dy,Ny,kd,XU,Od,Dd,va=P(()=>{J();Ml();By();Cl="WEBGL_compressed_texture_s3tc",Rl="WEBGL_compressed_texture_s3tc_srgb",xa="EXT_texture_compression_rgtc",wa="EXT_texture_compression_bptc",VU="WEBGL_compressed_texture_etc",WU="WEBGL_compressed_texture_astc",jU="WEBGL_compressed_texture_etc1",HU="WEBGL_compressed_texture_pvrtc",YU="WEBGL_compressed_texture_atc",qU="EXT_texture_norm16",XT="EXT_render_snorm",ZT="EXT_color_buffer_float",ky="snorm8-renderable-webgl",Oy="norm16-renderable-webgl",Dy="snorm16-renderable-webgl",Ny="float16-renderable-webgl",kd="float32-renderable-webgl",XU="rgb9e5ufloat-renderable-webgl",Od={"float32-renderable-webgl":{extensions:[ZT]},"float16-renderable-webgl":{extensions:["EXT_color_buffer_half_float"]},"rgb9e5ufloat-renderable-webgl":{extensions:["WEBGL_render_shared_exponent"]},"snorm8-renderable-webgl":{extensions:[XT]},"norm16-webgl":{extensions:[qU]},"norm16-renderable-webgl":{features:["norm16-webgl"]},"snorm16-renderable-webgl":{features:["norm16-webgl"],extensions:[XT]},"float32-filterable":{extensions:["OES_texture_float_linear"]},"float16-filterable-webgl":{extensions:["OES_texture_half_float_linear"]},"texture-filterable-anisotropic-webgl":{extensions:["EXT_texture_filter_anisotropic"]},"texture-blend-float-webgl":{extensions:["EXT_float_blend"]},"texture-compression-bc":{extensions:[Cl,Rl,xa,wa]},"texture-compression-bc5-webgl":{extensions:[xa]},"texture-compression-bc7-webgl":{extensions:[wa]},"texture-compression-etc2":{extensions:[VU]},"texture-compression-astc":{extensions:[WU]},"texture-compression-etc1-webgl":{extensions:[jU]},"texture-compression-pvrtc-webgl":{extensions:[HU]},"texture-compression-atc-webgl":{extensions:[YU]}};Dd={r8unorm:{gl:33321,rb:!0},r8snorm:{gl:36756,r:ky},r8uint:{gl:33330,rb:!0},r8sint:{gl:33329,rb:!0},rg8unorm:{gl:33323,rb:!0},rg8snorm:{gl:36757,r:ky},rg8uint:{gl:33336,rb:!0},rg8sint:{gl:33335,rb:!0},r16uint:{gl:33332,rb:!0},r16sint:{gl:33331,rb:!0},r16float:{gl:33325,rb:!0,r:Ny},r16unorm:{gl:33322,rb:!0,r:Oy},r16snorm:{gl:36760,r:Dy},"rgba4unorm-webgl":{gl:32854,rb:!0},"rgb565unorm-webgl":{gl:36194,rb:!0},"rgb5a1unorm-webgl":{gl:32855,rb:!0},"rgb8unorm-webgl":{gl:32849},"rgb8snorm-webgl":{gl:36758},rgba8unorm:{gl:32856},"rgba8unorm-srgb":{gl:35907},rgba8snorm:{gl:36759,r:ky},rgba8uint:{gl:36220},rgba8sint:{gl:36238},bgra8unorm:{},"bgra8unorm-srgb":{},rg16uint:{gl:33338},rg16sint:{gl:33337},rg16float:{gl:33327,rb:!0,r:Ny},rg16unorm:{gl:33324,r:Oy},rg16snorm:{gl:36761,r:Dy},r32uint:{gl:33334,rb:!0},r32sint:{gl:33333,rb:!0},r32float:{gl:33326,r:kd},rgb9e5ufloat:{gl:35901,r:XU},rg11b10ufloat:{gl:35898,rb:!0},rgb10a2unorm:{gl:32857,rb:!0},rgb10a2uint:{gl:36975,rb:!0},"rgb16unorm-webgl":{gl:32852,r:!1},"rgb16snorm-webgl":{gl:36762,r:!1},rg32uint:{gl:33340,rb:!0},rg32sint:{gl:33339,rb:!0},rg32float:{gl:33328,rb:!0,r:kd},rgba16uint:{gl:36214,rb:!0},rgba16sint:{gl:36232,rb:!0},rgba16float:{gl:34842,r:Ny},rgba16unorm:{gl:32859,rb:!0,r:Oy},rgba16snorm:{gl:36763,r:Dy},"rgb32float-webgl":{gl:34837,x:ZT,r:kd,dataFormat:6407,types:[5126]},rgba32uint:{gl:36208,rb:!0},rgba32sint:{gl:36226,rb:!0},rgba32float:{gl:34836,rb:!0,r:kd},stencil8:{gl:36168,rb:!0},depth16unorm:{gl:33189,dataFormat:6402,types:[5123],rb:!0},depth24plus:{gl:33190,dataFormat:6402,types:[5125]},depth32float:{gl:36012,dataFormat:6402,types:[5126],rb:!0},"depth24plus-stencil8":{gl:35056,rb:!0,depthTexture:!0,dataFormat:34041,types:[34042]},"depth32float-stencil8":{gl:36013,dataFormat:34041,types:[36269],rb:!0},"bc1-rgb-unorm-webgl":{gl:33776,x:Cl},"bc1-rgb-unorm-srgb-webgl":{gl:35916,x:Rl},"bc1-rgba-unorm":{gl:33777,x:Cl},"bc1-rgba-unorm-srgb":{gl:35916,x:Rl},"bc2-rgba-unorm":{gl:33778,x:Cl},"bc2-rgba-unorm-srgb":{gl:35918,x:Rl},"bc3-rgba-unorm":{gl:33779,x:Cl},"bc3-rgba-unorm-srgb":{gl:35919,x:Rl},"bc4-r-unorm":{gl:36283,x:xa},"bc4-r-snorm":{gl:36284,x:xa},"bc5-rg-unorm":{gl:36285,x:xa},"bc5-rg-snorm":{gl:36286,x:xa},"bc6h-rgb-ufloat":{gl:36495,x:wa},"bc6h-rgb-float":{gl:36494,x:wa},"bc7-rgba-unorm":{gl:36492,x:wa},"bc7-rgba-unorm-srgb":{gl:36493,x:wa},"etc2-rgb8unorm":{gl:37492},"etc2-rgb8unorm-srgb":{gl:37494},"etc2-rgb8a1unorm":{gl:37496},"etc2-rgb8a1unorm-srgb":{gl:37497},"etc2-rgba8unorm":{gl:37493},"etc2-rgba8unorm-srgb":{gl:37495},"eac-r11unorm":{gl:37488},"eac-r11snorm":{gl:37489},"eac-rg11unorm":{gl:37490},"eac-rg11snorm":{gl:37491},"astc-4x4-unorm":{gl:37808},"astc-4x4-unorm-srgb":{gl:37840},"astc-5x4-unorm":{gl:37809},"astc-5x4-unorm-srgb":{gl:37841},"astc-5x5-unorm":{gl:37810},"astc-5x5-unorm-srgb":{gl:37842},"astc-6x5-unorm":{gl:37811},"astc-6x5-unorm-srgb":{gl:37843},"astc-6x6-unorm":{gl:37812},"astc-6x6-unorm-srgb":{gl:37844},"astc-8x5-unorm":{gl:37813},"astc-8x5-unorm-srgb":{gl:37845},"astc-8x6-unorm":{gl:37814},"astc-8x6-unorm-srgb":{gl:37846},"astc-8x8-unorm":{gl:37815},"astc-8x8-unorm-srgb":{gl:37847},"astc-10x5-unorm":{gl:37816},"astc-10x5-unorm-srgb":{gl:37848},"astc-10x6-unorm":{gl:37817},"astc-10x6-unorm-srgb":{gl:37849},"astc-10x8-unorm":{gl:37818},"astc-10x8-unorm-srgb":{gl:37850},"astc-10x10-unorm":{gl:37819},"astc-10x10-unorm-srgb":{gl:37851},"astc-12x10-unorm":{gl:37820},"astc-12x10-unorm-srgb":{gl:37852},"astc-12x12-unorm":{gl:37821},"astc-12x12-unorm-srgb":{gl:37853},"pvrtc-rgb4unorm-webgl":{gl:35840},"pvrtc-rgba4unorm-webgl":{gl:35842},"pvrtc-rgb2unorm-webgl":{gl:35841},"pvrtc-rgba2unorm-webgl":{gl:35843},"etc1-rbg-unorm-webgl":{gl:36196},"atc-rgb-unorm-webgl":{gl:35986},"atc-rgba-unorm-webgl":{gl:35986},"atc-rgbai-unorm-webgl":{gl:34798}}});var tP,Fd,rP=P(()=>{J();Ml();va();tP={"depth-clip-control":"EXT_depth_clamp","timestamp-query":"EXT_disjoint_timer_query_webgl2","compilation-status-async-webgl":"KHR_parallel_shader_compile","html-in-canvas":r=>pg()&&typeof r.texElementImage2D=="function","polygon-mode-webgl":"WEBGL_polygon_mode","provoking-vertex-webgl":"WEBGL_provoking_vertex","shader-clip-cull-distance-webgl":"WEBGL_clip_cull_distance","shader-noperspective-interpolation-webgl":"NV_shader_noperspective_interpolation","shader-conservative-depth-webgl":"EXT_conservative_depth"},Fd=class extends _c{gl;extensions;testedFeatures=new Set;constructor(e,t,n){super([],n),this.gl=e,this.extensions=t,en(e,"EXT_color_buffer_float",t)}*[Symbol.iterator](){let e=this.getFeatures();for(let t of e)this.has(t)&&(yield t);return[]}has(e){return this.disabledFeatures?.[e]?!1:(this.testedFeatures.has(e)||(this.testedFeatures.add(e),KT(e)&&Fy(this.gl,e,this.extensions)&&this.features.add(e),this.getWebGLFeature(e)&&this.features.add(e)),this.features.has(e))}initializeFeatures(){let e=this.getFeatures().filter(t=>t!=="polygon-mode-webgl");for(let t of e)this.has(t)}getFeatures(){return[...Object.keys(tP),...Object.keys(Od)]}getWebGLFeature(e){let t=tP[e];return typeof t=="string"?!!en(this.gl,t,this.extensions):typeof t=="function"?t(this.gl):!!t}}});var Ud,nP=P(()=>{J();Ud=class extends yc{get maxTextureDimension1D(){return 0}get maxTextureDimension2D(){return this.getParameter(3379)}get maxTextureDimension3D(){return this.getParameter(32883)}get maxTextureArrayLayers(){return this.getParameter(35071)}get maxBindGroups(){return 0}get maxBindGroupsPlusVertexBuffers(){return 0}get maxBindingsPerBindGroup(){return 0}get maxDynamicUniformBuffersPerPipelineLayout(){return 0}get maxDynamicStorageBuffersPerPipelineLayout(){return 0}get maxSampledTexturesPerShaderStage(){return this.getParameter(35660)}get maxSamplersPerShaderStage(){return this.getParameter(35661)}get maxStorageBuffersPerShaderStage(){return 0}get maxStorageBuffersInVertexStage(){return 0}get maxStorageBuffersInFragmentStage(){return 0}get maxStorageTexturesPerShaderStage(){return 0}get maxStorageTexturesInVertexStage(){return 0}get maxStorageTexturesInFragmentStage(){return 0}get maxUniformBuffersPerShaderStage(){return this.getParameter(35375)}get maxUniformBufferBindingSize(){return this.getParameter(35376)}get maxStorageBufferBindingSize(){return 0}get maxBufferSize(){return Number.MAX_SAFE_INTEGER}get minUniformBufferOffsetAlignment(){return this.getParameter(35380)}get minStorageBufferOffsetAlignment(){return 0}get maxVertexBuffers(){return 16}get maxVertexAttributes(){return this.getParameter(34921)}get maxVertexBufferArrayStride(){return 2048}get maxInterStageShaderVariables(){return this.getParameter(35659)}get maxColorAttachments(){return this.getParameter(36063)}get maxColorAttachmentBytesPerSample(){return 0}get maxComputeWorkgroupStorageSize(){return 0}get maxComputeInvocationsPerWorkgroup(){return 0}get maxComputeWorkgroupSizeX(){return 0}get maxComputeWorkgroupSizeY(){return 0}get maxComputeWorkgroupSizeZ(){return 0}get maxComputeWorkgroupsPerDimension(){return 0}gl;limits={};constructor(e){super(),this.gl=e}getParameter(e){return this.limits[e]===void 0&&(this.limits[e]=this.gl.getParameter(e)),this.limits[e]||0}}});function JU(r){return r<34069?r+34069:r}function ez(r){switch(r){case 36053:return"success";case 36054:return"Mismatched attachments";case 36055:return"No attachments";case 36057:return"Height/width mismatch";case 36061:return"Unsupported or split attachments";case 36182:return"Samples mismatch";default:return`${r}`}}var In,zd=P(()=>{J();va();In=class extends ms{device;gl;handle;colorAttachments=[];depthStencilAttachment=null;constructor(e,t){super(e,t);let n=t.handle,i=n===null;this.device=e,this.gl=e.gl,this.handle=n||i?n:this.gl.createFramebuffer(),i||(e._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),t.handle||(this.autoCreateAttachmentTextures(),this.updateAttachments()))}destroy(){super.destroy(),!this.destroyed&&this.handle!==null&&!this.props.handle&&this.gl.deleteFramebuffer(this.handle)}updateAttachments(){let e=this.gl.bindFramebuffer(36160,this.handle);for(let t=0;t<this.colorAttachments.length;++t){let n=this.colorAttachments[t];if(n){let i=36064+t;this._attachTextureView(i,n)}}if(this.depthStencilAttachment){let t=eP(this.depthStencilAttachment.props.format);this._attachTextureView(t,this.depthStencilAttachment)}if(this.device.props.debug){let t=this.gl.checkFramebufferStatus(36160);if(t!==36053)throw new Error(`Framebuffer ${ez(t)}`)}this.gl.bindFramebuffer(36160,e)}_attachTextureView(e,t){let{gl:n}=this.device,{texture:i}=t,s=t.props.baseMipLevel,o=t.props.baseArrayLayer;switch(n.bindTexture(i.glTarget,i.handle),i.glTarget){case 35866:case 32879:n.framebufferTextureLayer(36160,e,i.handle,s,o);break;case 34067:let a=JU(o);n.framebufferTexture2D(36160,e,a,i.handle,s);break;case 3553:n.framebufferTexture2D(36160,e,3553,i.handle,s);break;default:throw new Error("Illegal texture type")}n.bindTexture(i.glTarget,null)}resizeAttachments(e,t){if(this.handle===null){this.width=e,this.height=t;return}super.resizeAttachments(e,t)}}});var Gd,iP=P(()=>{J();zd();Gd=class extends xc{device;handle=null;_framebuffer=null;get[Symbol.toStringTag](){return"WebGLCanvasContext"}constructor(e,t){super(t),this.device=e,this._setAutoCreatedCanvasId(`${this.device.id}-canvas`),this._configureDevice()}_configureDevice(){(this.drawingBufferWidth!==this._framebuffer?.width||this.drawingBufferHeight!==this._framebuffer?.height)&&this._framebuffer?.resize([this.drawingBufferWidth,this.drawingBufferHeight])}_getCurrentFramebuffer(){return this._framebuffer||=new In(this.device,{id:"canvas-context-framebuffer",handle:null,width:this.drawingBufferWidth,height:this.drawingBufferHeight}),this._framebuffer}}});var $d,sP=P(()=>{J();$d=class extends wc{device;handle=null;context2d;get[Symbol.toStringTag](){return"WebGLPresentationContext"}constructor(e,t={}){super(t),this.device=e;let n=`${this[Symbol.toStringTag]}(${this.id})`;if(!this.device.getDefaultCanvasContext().offscreenCanvas)throw new Error(`${n}: WebGL PresentationContext requires the default CanvasContext canvas to be an OffscreenCanvas`);let s=this.canvas.getContext("2d");if(!s)throw new Error(`${n}: Failed to create 2d presentation context`);this.context2d=s,this._setAutoCreatedCanvasId(`${this.device.id}-presentation-canvas`),this._configureDevice(),this._startObservers()}present(){this._resizeDrawingBufferIfNeeded(),this.device.submit();let e=this.device.getDefaultCanvasContext(),[t,n]=e.getDrawingBufferSize();if(!(this.drawingBufferWidth===0||this.drawingBufferHeight===0||t===0||n===0||e.canvas.width===0||e.canvas.height===0)){if(t!==this.drawingBufferWidth||n!==this.drawingBufferHeight||e.canvas.width!==this.drawingBufferWidth||e.canvas.height!==this.drawingBufferHeight)throw new Error(`${this[Symbol.toStringTag]}(${this.id}): Default canvas context size ${t}x${n} does not match presentation size ${this.drawingBufferWidth}x${this.drawingBufferHeight}`);this.context2d.clearRect(0,0,this.drawingBufferWidth,this.drawingBufferHeight),this.context2d.drawImage(e.canvas,0,0)}}_configureDevice(){}_getCurrentFramebuffer(e){let t=this.device.getDefaultCanvasContext();return t.setDrawingBufferSize(this.drawingBufferWidth,this.drawingBufferHeight),t.getCurrentFramebuffer(e)}}});function oP(r="id"){Uy[r]=Uy[r]||1;let e=Uy[r]++;return`${r}-${e}`}var Uy,aP=P(()=>{Uy={}});function tz(r){return r&re.INDEX?34963:r&re.VERTEX?34962:r&re.UNIFORM?35345:34962}function rz(r){return r&re.INDEX||r&re.VERTEX?35044:r&re.UNIFORM?35048:35044}var tn,Vd=P(()=>{J();tn=class extends re{device;gl;handle;glTarget;glUsage;glIndexType=5123;byteLength=0;bytesUsed=0;constructor(e,t={}){super(e,t),this.device=e,this.gl=this.device.gl;let n=typeof t=="object"?t.handle:void 0;this.handle=n||this.gl.createBuffer(),e._setWebGLDebugMetadata(this.handle,this,{spector:{...this.props,data:typeof this.props.data}}),this.glTarget=tz(this.props.usage),this.glUsage=rz(this.props.usage),this.glIndexType=this.props.indexType==="uint32"?5125:5123,t.data?this._initWithData(t.data,t.byteOffset,t.byteLength):this._initWithByteLength(t.byteLength||0)}destroy(){!this.destroyed&&this.handle&&(this.removeStats(),this.props.handle?this.trackDeallocatedReferencedMemory("Buffer"):(this.trackDeallocatedMemory(),this.gl.deleteBuffer(this.handle)),this.destroyed=!0,this.handle=null)}_initWithData(e,t=0,n=e.byteLength+t){let i=this.glTarget;this.gl.bindBuffer(i,this.handle),this.gl.bufferData(i,n,this.glUsage),this.gl.bufferSubData(i,t,e),this.gl.bindBuffer(i,null),this.bytesUsed=n,this.byteLength=n,this._setDebugData(e,t,n),this.props.handle?this.trackReferencedMemory(n,"Buffer"):this.trackAllocatedMemory(n)}_initWithByteLength(e){let t=e;e===0&&(t=new Float32Array(0));let n=this.glTarget;return this.gl.bindBuffer(n,this.handle),this.gl.bufferData(n,t,this.glUsage),this.gl.bindBuffer(n,null),this.bytesUsed=e,this.byteLength=e,this._setDebugData(null,0,e),this.props.handle?this.trackReferencedMemory(e,"Buffer"):this.trackAllocatedMemory(e),this}write(e,t=0){let n=ArrayBuffer.isView(e)?e:new Uint8Array(e),i=0,s=void 0,o=36663;this.gl.bindBuffer(o,this.handle),i!==0||s!==void 0?this.gl.bufferSubData(o,t,n,i,s):this.gl.bufferSubData(o,t,n),this.gl.bindBuffer(o,null),this._setDebugData(e,t,e.byteLength)}async mapAndWriteAsync(e,t=0,n=this.byteLength-t){let i=new ArrayBuffer(n);await e(i,"copied"),this.write(i,t)}async readAsync(e=0,t){return this.readSyncWebGL(e,t)}async mapAndReadAsync(e,t=0,n){let i=await this.readAsync(t,n);return await e(i.buffer,"copied")}readSyncWebGL(e=0,t){t=t??this.byteLength-e;let n=new Uint8Array(t),i=0;return this.gl.bindBuffer(36662,this.handle),this.gl.getBufferSubData(36662,e,n,i,t),this.gl.bindBuffer(36662,null),this._setDebugData(n,e,t),n}}});function cP(r){let e=r.split(/\r?\n/),t=[];for(let n of e){if(n.length<=1)continue;let i=n.trim(),s=n.split(":"),o=s[0]?.trim();if(s.length===2){let[h,p]=s;if(!h||!p){t.push({message:i,type:Wd(o||"info"),lineNum:0,linePos:0});continue}t.push({message:p.trim(),type:Wd(h),lineNum:0,linePos:0});continue}let[a,c,l,...u]=s;if(!a||!c||!l){t.push({message:s.slice(1).join(":").trim()||i,type:Wd(o||"info"),lineNum:0,linePos:0});continue}let f=parseInt(l,10);Number.isNaN(f)&&(f=0);let d=parseInt(c,10);Number.isNaN(d)&&(d=0),t.push({message:u.join(":").trim(),type:Wd(a),lineNum:f,linePos:d})}return t}function Wd(r){let e=["warning","error","info"],t=r.toLowerCase();return e.includes(t)?t:"info"}var lP=P(()=>{});function nz(r){return r.split(/\r?\n/).find(e=>e.trim())?.trim()}var jd,uP=P(()=>{J();lP();jd=class extends ps{device;handle;_compilationInfoLog="";constructor(e,t){super(e,t),this.device=e;let n=this.props.handle;switch(this.props.stage){case"vertex":this.handle=n||this.device.gl.createShader(35633);break;case"fragment":this.handle=n||this.device.gl.createShader(35632);break;default:throw new Error(this.props.stage)}e._setWebGLDebugMetadata(this.handle,this,{spector:this.props});let i=this._compile(this.source);i&&typeof i.catch=="function"&&i.catch(()=>{this.compilationStatus="error"})}destroy(){this.handle&&(this.removeStats(),this.device.gl.deleteShader(this.handle),this.destroyed=!0,this.handle.destroyed=!0)}get asyncCompilationStatus(){return this._waitForCompilationComplete().then(()=>(this._getCompilationStatus(),this.compilationStatus))}async getCompilationInfo(){return await this._waitForCompilationComplete(),this.getCompilationInfoSync()}getCompilationInfoSync(){let e=this._getCompilationInfoLog();return e?cP(e):[]}getTranslatedSource(){return this.device.getExtension("WEBGL_debug_shaders").WEBGL_debug_shaders?.getTranslatedShaderSource(this.handle)||null}_compile(e){e=e.startsWith("#version ")?e:`#version 300 es
${e}`;let{gl:t}=this.device;if(t.shaderSource(this.handle,e),t.compileShader(this.handle),!this.device.props.debug){this.compilationStatus="pending";return}if(!this.device.features.has("compilation-status-async-webgl")){if(this._getCompilationStatus(),this.debugShader(),this.compilationStatus==="error")throw new Error(this._getCompilationErrorMessage(e));return}return k.once(1,"Shader compilation is asynchronous")(),this._waitForCompilationComplete().then(()=>{k.info(2,`Shader ${this.id} - async compilation complete: ${this.compilationStatus}`)(),this._getCompilationStatus(),this.debugShader()})}async _waitForCompilationComplete(){let e=async i=>await new Promise(s=>setTimeout(s,i));if(!this.device.features.has("compilation-status-async-webgl")){await e(10);return}let{gl:n}=this.device;for(;;){if(n.getShaderParameter(this.handle,37297))return;await e(10)}}_getCompilationStatus(){this.compilationStatus=this.device.gl.getShaderParameter(this.handle,35713)?"success":"error",this.compilationStatus==="error"&&this._getCompilationInfoLog()}_getCompilationErrorMessage(e){let t=`${this.props.stage} shader ${this.props.id}`,n=nz(this._getCompilationInfoLog()),i=this.getCompilationInfoSync(),s=i.find(u=>u.type==="error"&&u.message.trim())||i.find(u=>u.message.trim())||i.find(u=>u.type==="error")||i[0];if(!s)return n?`GLSL compilation errors in ${t}: ${n}`:`GLSL compilation errors in ${t}: WebGL did not provide a shader compiler log`;let o=s.lineNum?e.split(/\r?\n/)[s.lineNum-1]?.trim():void 0,a=s.lineNum?` line ${s.lineNum}`:"",c=o?`
Source: ${o}`:"",l=s.message.trim()||n||"WebGL did not provide a shader compiler log";return`GLSL compilation errors in ${t}:${a}: ${l}${c}`}_getCompilationInfoLog(){let e=this.device.gl.getShaderInfoLog(this.handle)?.trim();return e&&(this._compilationInfoLog=e),this._compilationInfoLog}}});function dP(r,e,t,n){if(az(e))return n(r);let i=r;i.pushState();try{return iz(r,e),Qr(i.gl,t),n(r)}finally{i.popState()}}function iz(r,e){let t=r,{gl:n}=t;if(e.cullMode)switch(e.cullMode){case"none":n.disable(2884);break;case"front":n.enable(2884),n.cullFace(1028);break;case"back":n.enable(2884),n.cullFace(1029);break}if(e.frontFace&&n.frontFace($s("frontFace",e.frontFace,{ccw:2305,cw:2304})),e.unclippedDepth&&r.features.has("depth-clip-control")&&n.enable(34383),e.depthBias!==void 0&&(n.enable(32823),n.polygonOffset(e.depthBias,e.depthBiasSlopeScale||0)),e.provokingVertex&&r.features.has("provoking-vertex-webgl")){let s=t.getExtension("WEBGL_provoking_vertex").WEBGL_provoking_vertex,o=$s("provokingVertex",e.provokingVertex,{first:36429,last:36430});s?.provokingVertexWEBGL(o)}if((e.polygonMode||e.polygonOffsetLine)&&r.features.has("polygon-mode-webgl")){if(e.polygonMode){let s=t.getExtension("WEBGL_polygon_mode").WEBGL_polygon_mode,o=$s("polygonMode",e.polygonMode,{fill:6914,line:6913});s?.polygonModeWEBGL(1028,o),s?.polygonModeWEBGL(1029,o)}e.polygonOffsetLine&&n.enable(10754)}if(r.features.has("shader-clip-cull-distance-webgl")&&(e.clipDistance0&&n.enable(12288),e.clipDistance1&&n.enable(12289),e.clipDistance2&&n.enable(12290),e.clipDistance3&&n.enable(12291),e.clipDistance4&&n.enable(12292),e.clipDistance5&&n.enable(12293),e.clipDistance6&&n.enable(12294),e.clipDistance7&&n.enable(12295)),e.depthWriteEnabled!==void 0&&n.depthMask(oz("depthWriteEnabled",e.depthWriteEnabled)),e.depthCompare&&(e.depthCompare!=="always"?n.enable(2929):n.disable(2929),n.depthFunc(Yd("depthCompare",e.depthCompare))),e.clearDepth!==void 0&&n.clearDepth(e.clearDepth),e.stencilWriteMask){let i=e.stencilWriteMask;n.stencilMaskSeparate(1028,i),n.stencilMaskSeparate(1029,i)}if(e.stencilReadMask&&k.warn("stencilReadMask not supported under WebGL"),e.stencilCompare){let i=e.stencilReadMask||4294967295,s=Yd("depthCompare",e.stencilCompare);e.stencilCompare!=="always"?n.enable(2960):n.disable(2960),n.stencilFuncSeparate(1028,s,0,i),n.stencilFuncSeparate(1029,s,0,i)}if(e.stencilPassOperation&&e.stencilFailOperation&&e.stencilDepthFailOperation){let i=zy("stencilPassOperation",e.stencilPassOperation),s=zy("stencilFailOperation",e.stencilFailOperation),o=zy("stencilDepthFailOperation",e.stencilDepthFailOperation);n.stencilOpSeparate(1028,s,o,i),n.stencilOpSeparate(1029,s,o,i)}switch(e.blend){case!0:n.enable(3042);break;case!1:n.disable(3042);break;default:}if(e.blendColorOperation||e.blendAlphaOperation){let i=fP("blendColorOperation",e.blendColorOperation||"add"),s=fP("blendAlphaOperation",e.blendAlphaOperation||"add");n.blendEquationSeparate(i,s);let o=Hd("blendColorSrcFactor",e.blendColorSrcFactor||"one"),a=Hd("blendColorDstFactor",e.blendColorDstFactor||"zero"),c=Hd("blendAlphaSrcFactor",e.blendAlphaSrcFactor||"one"),l=Hd("blendAlphaDstFactor",e.blendAlphaDstFactor||"zero");n.blendFuncSeparate(o,a,c,l)}}function Yd(r,e){return $s(r,e,{never:512,less:513,equal:514,"less-equal":515,greater:516,"not-equal":517,"greater-equal":518,always:519})}function zy(r,e){return $s(r,e,{keep:7680,zero:0,replace:7681,invert:5386,"increment-clamp":7682,"decrement-clamp":7683,"increment-wrap":34055,"decrement-wrap":34056})}function fP(r,e){return $s(r,e,{add:32774,subtract:32778,"reverse-subtract":32779,min:32775,max:32776})}function Hd(r,e,t="color"){return $s(r,e,{one:1,zero:0,src:768,"one-minus-src":769,dst:774,"one-minus-dst":775,"src-alpha":770,"one-minus-src-alpha":771,"dst-alpha":772,"one-minus-dst-alpha":773,"src-alpha-saturated":776,constant:t==="color"?32769:32771,"one-minus-constant":t==="color"?32770:32772,src1:768,"one-minus-src1":769,"src1-alpha":770,"one-minus-src1-alpha":771})}function sz(r,e){return`Illegal parameter ${e} for ${r}`}function $s(r,e,t){if(!(e in t))throw new Error(sz(r,e));return t[e]}function oz(r,e){return e}function az(r){let e=!0;for(let t in r){e=!1;break}return e}var Gy=P(()=>{J();_a()});function qd(r){let e={};return r.addressModeU&&(e[10242]=$y(r.addressModeU)),r.addressModeV&&(e[10243]=$y(r.addressModeV)),r.addressModeW&&(e[32882]=$y(r.addressModeW)),r.magFilter&&(e[10240]=Vy(r.magFilter)),(r.minFilter||r.mipmapFilter)&&(e[10241]=cz(r.minFilter||"linear",r.mipmapFilter)),r.lodMinClamp!==void 0&&(e[33082]=r.lodMinClamp),r.lodMaxClamp!==void 0&&(e[33083]=r.lodMaxClamp),r.type==="comparison-sampler"&&(e[34892]=34894),r.compare&&(e[34893]=Yd("compare",r.compare)),r.maxAnisotropy&&(e[34046]=r.maxAnisotropy),e}function $y(r){switch(r){case"clamp-to-edge":return 33071;case"repeat":return 10497;case"mirror-repeat":return 33648}}function Vy(r){switch(r){case"nearest":return 9728;case"linear":return 9729}}function cz(r,e="none"){if(!e)return Vy(r);switch(e){case"none":return Vy(r);case"nearest":switch(r){case"nearest":return 9984;case"linear":return 9985}break;case"linear":switch(r){case"nearest":return 9986;case"linear":return 9987}}}var Wy=P(()=>{Gy()});var Xd,hP=P(()=>{J();Wy();Xd=class extends ds{device;handle;parameters;constructor(e,t){super(e,t),this.device=e,this.parameters=qd(t),this.handle=t.handle||this.device.gl.createSampler(),this._setSamplerParameters(this.parameters)}destroy(){this.handle&&(this.device.gl.deleteSampler(this.handle),this.handle=void 0)}toString(){return`Sampler(${this.id},${JSON.stringify(this.props)})`}_setSamplerParameters(e){for(let[t,n]of Object.entries(e)){let i=Number(t);switch(i){case 33082:case 33083:this.device.gl.samplerParameterf(this.handle,i,n);break;default:this.device.gl.samplerParameteri(this.handle,i,n);break}}}}});function rn(r,e,t){if(lz(e))return t(r);let{nocatch:n=!0}=e,i=Jr.get(r);i.push(),Qr(r,e);let s;if(n)s=t(r),i.pop();else try{s=t(r)}finally{i.pop()}return s}function lz(r){for(let e in r)return!1;return!0}var Zd=P(()=>{_a();Ry()});var Bn,jy=P(()=>{J();Bn=class extends hs{device;gl;handle;texture;constructor(e,t){super(e,{...de.defaultProps,...t}),this.device=e,this.gl=this.device.gl,this.handle=null,this.texture=t.texture}}});function Kd(r){return uz[r]}var uz,Hy=P(()=>{uz={5124:"sint32",5125:"uint32",5122:"sint16",5123:"uint16",5120:"sint8",5121:"uint8",5126:"float32",5131:"float16",33635:"uint16",32819:"uint16",32820:"uint16",33640:"uint32",35899:"uint32",35902:"uint32",34042:"uint32",36269:"uint32"}});function fz(r,e=0){return e?new r.constructor(r.buffer,r.byteOffset+e,(r.byteLength-e)/r.BYTES_PER_ELEMENT):r}function dz(r,e){if(e%r.BYTES_PER_ELEMENT!==0)throw new Error(`Texture byteOffset ${e} must align to typed array element size ${r.BYTES_PER_ELEMENT}`);return e/r.BYTES_PER_ELEMENT}function hz(r){switch(r){case"1d":break;case"2d":return 3553;case"3d":return 32879;case"cube":return 34067;case"2d-array":return 35866;case"cube-array":break}throw new Error(r)}function Il(r,e,t){return e==="cube"?34069+t:r}var kn,Qd=P(()=>{J();va();Wy();Zd();jy();Hy();kn=class extends de{device;gl;handle;sampler=void 0;view;glTarget;glFormat;glType;glInternalFormat;compressed;_textureUnit=0;_framebuffer=null;_framebufferAttachmentKey=null;constructor(e,t){super(e,t,{byteAlignment:1}),this.device=e,this.gl=this.device.gl;let n=Nd(this.props.format);if(this.glTarget=hz(this.props.dimension),this.glInternalFormat=n.internalFormat,this.glFormat=n.format,this.glType=n.type,this.compressed=n.compressed,this.isHandleBorrowed&&this.props.handle===void 0)throw new Error("Borrowed WebGL textures require a texture handle");if(this.handle=this.props.handle||this.gl.createTexture(),this.device._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),!this.isHandleBorrowed){this.gl.bindTexture(this.glTarget,this.handle);let{dimension:i,width:s,height:o,depth:a,mipLevels:c,glTarget:l,glInternalFormat:u}=this;if(!this.compressed)switch(i){case"2d":case"cube":this.gl.texStorage2D(l,c,u,s,o);break;case"2d-array":case"3d":this.gl.texStorage3D(l,c,u,s,o,a);break;default:throw new Error(i)}this.gl.bindTexture(this.glTarget,null),this._initializeData(t.data)}this.ownsHandle?this.trackAllocatedMemory(this.getAllocatedByteLength(),"Texture"):this.trackReferencedMemory(this.getAllocatedByteLength(),"Texture"),this.isHandleBorrowed||this.setSampler(this.props.sampler),this.view=new Bn(this.device,{...this.props,texture:this}),Object.seal(this)}destroy(){this.handle&&(this._framebuffer?.destroy(),this._framebuffer=null,this._framebufferAttachmentKey=null,this.removeStats(),this.ownsHandle?(this.gl.deleteTexture(this.handle),this.trackDeallocatedMemory("Texture")):this.trackDeallocatedReferencedMemory("Texture"),this.destroyed=!0)}createView(e){return new Bn(this.device,{...e,texture:this})}clone(e){if(this.isHandleBorrowed&&e&&(e.width!==this.width||e.height!==this.height))throw new Error(`Cannot resize borrowed read-only ${this}`);return super.clone(e)}setSampler(e={}){this._assertWritable("set sampler parameters on"),super.setSampler(e);let t=qd(this.sampler.props);this._setSamplerParameters(t)}copyExternalImage(e){this._assertWritable("copy external image data into");let t=this._normalizeCopyExternalImageOptions(e);if(t.sourceX||t.sourceY)throw new Error("WebGL does not support sourceX/sourceY)");let{glFormat:n,glType:i}=this,{image:s,depth:o,mipLevel:a,x:c,y:l,z:u,width:f,height:d}=t,h=Il(this.glTarget,this.dimension,u),p=t.flipY?{37440:!0}:{};return this.gl.bindTexture(this.glTarget,this.handle),rn(this.gl,p,()=>{switch(this.dimension){case"2d":case"cube":this.gl.texSubImage2D(h,a,c,l,f,d,n,i,s);break;case"2d-array":case"3d":this.gl.texSubImage3D(h,a,c,l,u,f,d,o,n,i,s);break;default:}}),this.gl.bindTexture(this.glTarget,null),{width:t.width,height:t.height}}copyElementImage(e){this._assertWritable("copy element image data into");let t=this._normalizeCopyElementImageOptions(e),{glFormat:n}=this,{element:i,depth:s,mipLevel:o,sourceX:a,sourceY:c,sourceWidth:l,sourceHeight:u,x:f,y:d,z:h,width:p,height:m}=t,b=Il(this.glTarget,this.dimension,h),w=t.flipY?{37440:!0}:{},_=this.gl;if(s!==1||this.dimension!=="2d"&&this.dimension!=="cube")throw new Error(`${this} copyElementImage only supports 2d and cube textures on WebGL`);if(o!==0||f!==0||d!==0)throw new Error(`${this} copyElementImage only supports full base-level uploads on WebGL`);if(typeof _.texElementImage2D!="function")throw new Error(`${this} copyElementImage is not supported by this WebGL implementation`);return this.gl.bindTexture(this.glTarget,this.handle),rn(this.gl,w,()=>{_.texElementImage2D?.(b,n,i,{sx:a,sy:c,swidth:l??p,sheight:u??m,width:p,height:m})}),this.gl.bindTexture(this.glTarget,null),{width:t.width,height:t.height}}copyImageData(e){super.copyImageData(e)}readBuffer(e={},t){if(!t)throw new Error(`${this} readBuffer requires a destination buffer`);let n=this._getSupportedColorReadOptions(e),i=e.byteOffset??0,s=this.computeMemoryLayout(n);if(t.byteLength<i+s.byteLength)throw new Error(`${this} readBuffer target is too small (${t.byteLength} < ${i+s.byteLength})`);let o=t;this.gl.bindBuffer(35051,o.handle);try{this._readColorTextureLayers(n,s,a=>{this.gl.readPixels(n.x,n.y,n.width,n.height,this.glFormat,this.glType,i+a)})}finally{this.gl.bindBuffer(35051,null)}return t}async readDataAsync(e={}){throw new Error(`${this} readDataAsync is deprecated; use readBuffer() with an explicit destination buffer or DynamicTexture.readAsync()`)}writeBuffer(e,t={}){this._assertWritable("write buffer data into");let n=this._normalizeTextureWriteOptions(t),{width:i,height:s,depthOrArrayLayers:o,mipLevel:a,byteOffset:c,x:l,y:u,z:f}=n,{glFormat:d,glType:h,compressed:p}=this,m=Il(this.glTarget,this.dimension,f);if(p)throw new Error("writeBuffer for compressed textures is not implemented in WebGL");let{bytesPerPixel:b}=this.device.getTextureFormatInfo(this.format),w=b?n.bytesPerRow/b:void 0,_={3317:this.byteAlignment,...w!==void 0?{3314:w}:{},32878:n.rowsPerImage};this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,e.handle),rn(this.gl,_,()=>{switch(this.dimension){case"2d":case"cube":this.gl.texSubImage2D(m,a,l,u,i,s,d,h,c);break;case"2d-array":case"3d":this.gl.texSubImage3D(m,a,l,u,f,i,s,o,d,h,c);break;default:}}),this.gl.bindBuffer(35052,null),this.gl.bindTexture(this.glTarget,null)}writeData(e,t={}){this._assertWritable("write data into");let n=this._normalizeTextureWriteOptions(t),i=ArrayBuffer.isView(e)?e:new Uint8Array(e),{width:s,height:o,depthOrArrayLayers:a,mipLevel:c,x:l,y:u,z:f,byteOffset:d}=n,{glFormat:h,glType:p,compressed:m}=this,b=Il(this.glTarget,this.dimension,f),w;if(!m){let{bytesPerPixel:I}=this.device.getTextureFormatInfo(this.format);I&&(w=n.bytesPerRow/I)}let _=this.compressed?{}:{3317:this.byteAlignment,...w!==void 0?{3314:w}:{},32878:n.rowsPerImage},x=dz(i,d),E=m?fz(i,d):i,T=this._getMipLevelSize(c),A=l===0&&u===0&&f===0&&s===T.width&&o===T.height&&a===T.depthOrArrayLayers;this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,null),rn(this.gl,_,()=>{switch(this.dimension){case"2d":case"cube":m?A?this.gl.compressedTexImage2D(b,c,h,s,o,0,E):this.gl.compressedTexSubImage2D(b,c,l,u,s,o,h,E):this.gl.texSubImage2D(b,c,l,u,s,o,h,p,i,x);break;case"2d-array":case"3d":m?A?this.gl.compressedTexImage3D(b,c,h,s,o,a,0,E):this.gl.compressedTexSubImage3D(b,c,l,u,f,s,o,a,h,E):this.gl.texSubImage3D(b,c,l,u,f,s,o,a,h,p,i,x);break;default:}}),this.gl.bindTexture(this.glTarget,null)}_getRowByteAlignment(e,t){return 1}_getFramebuffer(){return this._framebuffer||=this.device.createFramebuffer({id:`framebuffer-for-${this.id}`,width:this.width,height:this.height,colorAttachments:[this]}),this._framebuffer}readDataSyncWebGL(e={}){let t=this._getSupportedColorReadOptions(e),n=this.computeMemoryLayout(t),i=Kd(this.glType),s=fs(i),o=new s(n.byteLength/s.BYTES_PER_ELEMENT);return this._readColorTextureLayers(t,n,a=>{let c=new s(o.buffer,o.byteOffset+a,n.bytesPerImage/s.BYTES_PER_ELEMENT);this.gl.readPixels(t.x,t.y,t.width,t.height,this.glFormat,this.glType,c)}),o.buffer}_readColorTextureLayers(e,t,n){let i=this._getFramebuffer(),s=t.bytesPerRow/t.bytesPerPixel,o={3333:this.byteAlignment,...s!==e.width?{3330:s}:{}},a=this.gl.getParameter(3074),c=this.gl.bindFramebuffer(36160,i.handle);try{this.gl.readBuffer(36064),rn(this.gl,o,()=>{for(let l=0;l<e.depthOrArrayLayers;l++)this._attachReadSubresource(i,e.mipLevel,e.z+l),n(l*t.bytesPerImage)})}finally{this.gl.bindFramebuffer(36160,c||null),this.gl.readBuffer(a)}}_attachReadSubresource(e,t,n){let i=`${t}:${n}`;if(this._framebufferAttachmentKey!==i){switch(this.dimension){case"2d":this.gl.framebufferTexture2D(36160,36064,3553,this.handle,t);break;case"cube":this.gl.framebufferTexture2D(36160,36064,Il(this.glTarget,this.dimension,n),this.handle,t);break;case"2d-array":case"3d":this.gl.framebufferTextureLayer(36160,36064,this.handle,t,n);break;default:throw new Error(`${this} color readback does not support ${this.dimension} textures`)}if(this.device.props.debug){let s=Number(this.gl.checkFramebufferStatus(36160));if(s!==36053)throw new Error(`${e} incomplete for ${this} readback (${s})`)}this._framebufferAttachmentKey=i}}generateMipmapsWebGL(e){if(this._assertWritable("generate mipmaps for"),!(!(this.device.isTextureFormatRenderable(this.props.format)&&this.device.isTextureFormatFilterable(this.props.format))&&(k.warn(`${this} is not renderable or filterable, may not be able to generate mipmaps`)(),!e?.force)))try{this.gl.bindTexture(this.glTarget,this.handle),this.gl.generateMipmap(this.glTarget)}catch(n){k.warn(`Error generating mipmap for ${this}: ${n.message}`)()}finally{this.gl.bindTexture(this.glTarget,null)}}_setSamplerParameters(e){k.level>=2&&k.log(2,`${this.id} sampler parameters`,this.device.getGLKeys(e))(),this.gl.bindTexture(this.glTarget,this.handle);for(let[t,n]of Object.entries(e)){let i=Number(t),s=n;switch(i){case 33082:case 33083:this.gl.texParameterf(this.glTarget,i,s);break;case 10240:case 10241:this.gl.texParameteri(this.glTarget,i,s);break;case 10242:case 10243:case 32882:this.gl.texParameteri(this.glTarget,i,s);break;case 34046:this.device.features.has("texture-filterable-anisotropic-webgl")&&this.gl.texParameteri(this.glTarget,i,s);break;case 34892:case 34893:this.gl.texParameteri(this.glTarget,i,s);break}}this.gl.bindTexture(this.glTarget,null)}_getActiveUnit(){return this.gl.getParameter(34016)-33984}_bind(e){let{gl:t}=this;return e!==void 0&&(this._textureUnit=e,t.activeTexture(33984+e)),t.bindTexture(this.glTarget,this.handle),e}_unbind(e){let{gl:t}=this;return e!==void 0&&(this._textureUnit=e,t.activeTexture(33984+e)),t.bindTexture(this.glTarget,null),e}_assertWritable(e){if(this.isHandleBorrowed)throw new Error(`Cannot ${e} borrowed read-only ${this}`)}}});function pP(r,e,t,n){let i=r,s=n;s===!0&&(s=1),s===!1&&(s=0);let o=typeof s=="number"?[s]:s;switch(t){case 35678:case 35680:case 35679:case 35682:case 36289:case 36292:case 36293:case 36298:case 36299:case 36300:case 36303:case 36306:case 36307:case 36308:case 36311:if(typeof n!="number")throw new Error("samplers must be set to integers");return r.uniform1i(e,n);case 5126:return r.uniform1fv(e,o);case 35664:return r.uniform2fv(e,o);case 35665:return r.uniform3fv(e,o);case 35666:return r.uniform4fv(e,o);case 5124:return r.uniform1iv(e,o);case 35667:return r.uniform2iv(e,o);case 35668:return r.uniform3iv(e,o);case 35669:return r.uniform4iv(e,o);case 35670:return r.uniform1iv(e,o);case 35671:return r.uniform2iv(e,o);case 35672:return r.uniform3iv(e,o);case 35673:return r.uniform4iv(e,o);case 5125:return i.uniform1uiv(e,o,1);case 36294:return i.uniform2uiv(e,o,2);case 36295:return i.uniform3uiv(e,o,3);case 36296:return i.uniform4uiv(e,o,4);case 35674:return r.uniformMatrix2fv(e,!1,o);case 35675:return r.uniformMatrix3fv(e,!1,o);case 35676:return r.uniformMatrix4fv(e,!1,o);case 35685:return i.uniformMatrix2x3fv(e,!1,o);case 35686:return i.uniformMatrix2x4fv(e,!1,o);case 35687:return i.uniformMatrix3x2fv(e,!1,o);case 35688:return i.uniformMatrix3x4fv(e,!1,o);case 35689:return i.uniformMatrix4x2fv(e,!1,o);case 35690:return i.uniformMatrix4x3fv(e,!1,o)}throw new Error("Illegal uniform")}var mP=P(()=>{});function gP(r){return mz[r]}function Jd(r){return pz[r]}function eh(r){return!!yP[r]}function bP(r){return yP[r]}var pz,yP,mz,th=P(()=>{pz={5126:"f32",35664:"vec2<f32>",35665:"vec3<f32>",35666:"vec4<f32>",5124:"i32",35667:"vec2<i32>",35668:"vec3<i32>",35669:"vec4<i32>",5125:"u32",36294:"vec2<u32>",36295:"vec3<u32>",36296:"vec4<u32>",35670:"f32",35671:"vec2<f32>",35672:"vec3<f32>",35673:"vec4<f32>",35674:"mat2x2<f32>",35685:"mat2x3<f32>",35686:"mat2x4<f32>",35687:"mat3x2<f32>",35675:"mat3x3<f32>",35688:"mat3x4<f32>",35689:"mat4x2<f32>",35690:"mat4x3<f32>",35676:"mat4x4<f32>"},yP={35678:{viewDimension:"2d",sampleType:"float"},35680:{viewDimension:"cube",sampleType:"float"},35679:{viewDimension:"3d",sampleType:"float"},35682:{viewDimension:"3d",sampleType:"depth"},36289:{viewDimension:"2d-array",sampleType:"float"},36292:{viewDimension:"2d-array",sampleType:"depth"},36293:{viewDimension:"cube",sampleType:"float"},36298:{viewDimension:"2d",sampleType:"sint"},36299:{viewDimension:"3d",sampleType:"sint"},36300:{viewDimension:"cube",sampleType:"sint"},36303:{viewDimension:"2d-array",sampleType:"uint"},36306:{viewDimension:"2d",sampleType:"uint"},36307:{viewDimension:"3d",sampleType:"uint"},36308:{viewDimension:"cube",sampleType:"uint"},36311:{viewDimension:"2d-array",sampleType:"uint"}},mz={uint8:5121,sint8:5120,unorm8:5121,snorm8:5120,uint16:5123,sint16:5122,unorm16:5123,snorm16:5122,uint32:5125,sint32:5124,float16:5131,float32:5126}});function xP(r,e,t={}){let n={attributes:[],bindings:[]};n.attributes=gz(r,e);let i=_z(r,e,t);for(let c of i){let l=c.uniforms.map(u=>({name:u.name,format:u.format,byteOffset:u.byteOffset,byteStride:u.byteStride,arrayLength:u.arrayLength}));n.bindings.push({type:"uniform",name:c.name,group:0,location:c.location,visibility:(c.vertex?1:0)|(c.fragment?2:0),minBindingSize:c.byteLength,uniforms:l})}let s=yz(r,e),o=0;for(let c of s)if(eh(c.type)){let{viewDimension:l,sampleType:u}=bP(c.type);n.bindings.push({type:"texture",name:c.name,group:0,location:o,viewDimension:l,sampleType:u}),c.textureUnit=o,o+=1}s.length&&(n.uniforms=s);let a=bz(r,e);return a?.length&&(n.varyings=a),n}function gz(r,e){let t=[],n=r.getProgramParameter(e,35721);for(let i=0;i<n;i++){let s=r.getActiveAttrib(e,i);if(!s)throw new Error("activeInfo");let{name:o,type:a}=s,c=r.getAttribLocation(e,o);if(c>=0){let l=Jd(a),u=/instance/i.test(o)?"instance":"vertex";t.push({name:o,location:c,stepMode:u,type:l})}}return t.sort((i,s)=>i.location-s.location),t}function bz(r,e){let t=[],n=r.getProgramParameter(e,35971);for(let i=0;i<n;i++){let s=r.getTransformFeedbackVarying(e,i);if(!s)throw new Error("activeInfo");let{name:o,type:a,size:c}=s,l=Jd(a),{type:u,components:f}=Go(l);t.push({location:i,name:o,type:u,size:c*f})}return t.sort((i,s)=>i.location-s.location),t}function yz(r,e){let t=[],n=r.getProgramParameter(e,35718);for(let i=0;i<n;i++){let s=r.getActiveUniform(e,i);if(!s)throw new Error("activeInfo");let{name:o,size:a,type:c}=s,{name:l,isArray:u}=Pz(o),f=r.getUniformLocation(e,l),d={location:f,name:l,size:a,type:c,isArray:u};if(t.push(d),d.size>1)for(let h=0;h<d.size;h++){let p=`${l}[${h}]`;f=r.getUniformLocation(e,p);let m={...d,name:p,location:f};t.push(m)}}return t}function _z(r,e,t){let n=[],i=wz(r,e,t);for(let[o,a]of i){n.push(a);try{let c=_P(r,e,o,a.name);xz(c,a)}catch(c){let l=c instanceof Error?c.message:String(c);k.once(0,`WebGL uniform block reflection failed for "${a.name}"; using supplied std140 metadata. ${l}`)()}}let s=r.getProgramParameter(e,35382);if(!Number.isInteger(s)||s<0)throw new Error(`Failed to reflect WebGL uniform blocks: ACTIVE_UNIFORM_BLOCKS returned ${String(s)}`);for(let o=0;o<s;o++)i.has(o)||n.push(_P(r,e,o));return n.sort((o,a)=>o.location-a.location),n}function xz(r,e){for(let t of r.uniforms){let n=e.uniforms.find(i=>t.name===i.name||t.name.endsWith(`.${i.name}`));if(!n)throw new Error(`Failed to validate WebGL uniform block "${e.name}": reflected unexpected member "${t.name}"`);if(t.format!==n.format||t.arrayLength!==n.arrayLength||t.byteOffset!==n.byteOffset||t.byteStride!==n.byteStride)throw new Error(`Failed to validate WebGL uniform block "${e.name}": reflected layout for "${t.name}" does not match supplied std140 metadata`)}}function wz(r,e,t){let n=new Map;for(let s of t.uniformBlockLayouts||[])n.set(s.name,Ez(s));for(let s of t.shaderLayout?.bindings||[])Tz(s)&&n.set(s.name,s);let i=new Map;for(let s of n.values()){let o=vz(r,e,s.name);if(!o)continue;let{blockIndex:a,blockName:c}=o;if(i.has(a))throw new Error(`Multiple supplied uniform block layouts resolve to active WebGL block "${c}"`);i.set(a,{name:c,location:a,byteLength:s.minBindingSize,vertex:!!(s.visibility&&s.visibility&1),fragment:!!(s.visibility&&s.visibility&2),uniformCount:s.uniforms.length,uniforms:s.uniforms.map(l=>({...l}))})}return i}function vz(r,e,t){let n=t.endsWith("Uniforms")?[t,t.slice(0,-8)]:[t,`${t}Uniforms`];for(let i of n){let s=r.getUniformBlockIndex(e,i);if(s!==4294967295){if(!Number.isInteger(s)||s<0)throw new Error(`Failed to resolve WebGL uniform block "${i}": getUniformBlockIndex returned ${String(s)}`);return{blockIndex:s,blockName:i}}}return null}function _P(r,e,t,n){let i=n||r.getActiveUniformBlockName(e,t);if(!i)throw new Error(`Failed to reflect WebGL uniform block at index ${t}: missing block name`);let s=(x,E)=>{let T=r.getActiveUniformBlockParameter(e,t,x);if(T==null)throw new Error(`Failed to reflect WebGL uniform block "${i}": ${E} returned null`);return T},o=Vs(s(35391,"UNIFORM_BLOCK_BINDING"),i,"UNIFORM_BLOCK_BINDING",0),a=Vs(s(35392,"UNIFORM_BLOCK_DATA_SIZE"),i,"UNIFORM_BLOCK_DATA_SIZE",0),c=Vs(s(35394,"UNIFORM_BLOCK_ACTIVE_UNIFORMS"),i,"UNIFORM_BLOCK_ACTIVE_UNIFORMS",0),l=wP(s(35395,"UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES"),i,"UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES",c),u=Bl(r,e,l,35383,"UNIFORM_TYPE",i,c),f=Bl(r,e,l,35384,"UNIFORM_SIZE",i,c),d=Bl(r,e,l,35386,"UNIFORM_BLOCK_INDEX",i,c),h=Bl(r,e,l,35387,"UNIFORM_OFFSET",i,c),p=Bl(r,e,l,35388,"UNIFORM_ARRAY_STRIDE",i,c),m=[];for(let x=0;x<c;x++){if(d[x]!==t)throw new Error(`Failed to reflect WebGL uniform block "${i}": active uniform index ${l[x]} belongs to block ${d[x]}, expected ${t}`);let E=l[x],T=r.getActiveUniform(e,E);if(!T)throw new Error(`Failed to reflect WebGL uniform block "${i}": getActiveUniform(${E}) returned null`);let A=Vs(u[x],i,`UNIFORM_TYPE[${x}]`,1),I=Vs(f[x],i,`UNIFORM_SIZE[${x}]`,1),D=Vs(h[x],i,`UNIFORM_OFFSET[${x}]`,0),N=Vs(p[x],i,`UNIFORM_ARRAY_STRIDE[${x}]`,0);if(T.type!==A||T.size!==I)throw new Error(`Failed to reflect WebGL uniform block "${i}": getActiveUniform(${E}) disagrees with getActiveUniforms`);m.push({name:T.name,format:Jd(A),arrayLength:I,byteOffset:D,byteStride:N})}let b={name:i,location:o,byteLength:a,vertex:!!s(35396,"UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER"),fragment:!!s(35398,"UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER"),uniformCount:c,uniforms:m},w=new Set(b.uniforms.map(x=>x.name.split(".")[0]).filter(x=>!!x)),_=b.name.replace(/Uniforms$/,"");if(w.size===1&&!w.has(b.name)&&!w.has(_)){let[x]=w;k.warn(`Uniform block "${b.name}" uses GLSL instance "${x}". luma.gl binds uniform buffers by block name ("${b.name}") and alias ("${_}"). Prefer matching the instance name to one of those to avoid confusing silent mismatches.`)()}return b}function Bl(r,e,t,n,i,s,o){let a=r.getActiveUniforms(e,t,n);if(a===null)throw new Error(`Failed to reflect WebGL uniform block "${s}": ${i} returned null`);return wP(a,s,i,o)}function wP(r,e,t,n){if(!Array.isArray(r)&&!ArrayBuffer.isView(r))throw new Error(`Failed to reflect WebGL uniform block "${e}": ${t} returned a non-array value`);let i=Array.from(r);if(i.length!==n||i.some(s=>!Number.isInteger(s)))throw new Error(`Failed to reflect WebGL uniform block "${e}": ${t} returned ${i.length} invalid values, expected ${n}`);return i}function Vs(r,e,t,n){if(!Number.isInteger(r)||r<n)throw new Error(`Failed to reflect WebGL uniform block "${e}": ${t} returned ${String(r)}`);return r}function Ez(r){let e=_s(r.uniformTypes,{layout:"std140"}),t=Sz(r.uniformTypes,e.fields);return{type:"uniform",name:r.name,group:0,location:0,minBindingSize:e.byteLength,uniforms:t}}function Sz(r,e){let t=[],n=(s,o)=>{if(typeof o=="string"){let a=e[s];if(!a)throw new Error(`Missing std140 layout field ${s}`);t.push({name:s,format:a.shaderType,arrayLength:1,byteOffset:a.offset*4,byteStride:0});return}if(Array.isArray(o)){i(s,o[0],o[1]);return}for(let[a,c]of Object.entries(o))n(`${s}.${a}`,c)},i=(s,o,a)=>{if(typeof o=="string"){let c=e[`${s}[0]`],l=a>1?e[`${s}[1]`]:void 0;if(!c)throw new Error(`Missing std140 array layout field ${s}[0]`);t.push({name:`${s}[0]`,format:c.shaderType,arrayLength:a,byteOffset:c.offset*4,byteStride:l?(l.offset-c.offset)*4:0});return}if(Array.isArray(o))throw new Error(`Nested uniform arrays are not supported for ${s}`);for(let[c,l]of Object.entries(o)){if(typeof l!="string")throw new Error(`Composite uniform array members are not supported for ${s}`);let u=`${s}[0].${c}`,f=`${s}[1].${c}`,d=e[u],h=a>1?e[f]:void 0;if(!d)throw new Error(`Missing std140 array layout field ${u}`);t.push({name:u,format:d.shaderType,arrayLength:a,byteOffset:d.offset*4,byteStride:h?(h.offset-d.offset)*4:0})}};for(let[s,o]of Object.entries(r))n(s,o);return t}function Tz(r){return r.type==="uniform"&&Number.isInteger(r.minBindingSize)&&r.minBindingSize>=0&&Array.isArray(r.uniforms)&&r.uniforms.every(e=>typeof e.name=="string"&&typeof e.format=="string"&&Number.isInteger(e.arrayLength)&&e.arrayLength>0&&Number.isInteger(e.byteOffset)&&e.byteOffset>=0&&Number.isInteger(e.byteStride)&&e.byteStride>=0)}function Pz(r){if(r[r.length-1]!=="]")return{name:r,length:1,isArray:!1};let t=/([^[]*)(\[[0-9]+\])?/.exec(r);return{name:xi(t?.[1],`Failed to parse GLSL uniform name ${r}`),length:t?.[2]?1:0,isArray:!!t?.[2]}}var vP=P(()=>{J();th()});function Az(r,e){let t={...r,attributes:r.attributes.map(n=>({...n})),bindings:r.bindings.map(n=>({...n}))};for(let n of e?.attributes||[]){let i=t.attributes.find(s=>s.name===n.name);i?(i.type=n.type||i.type,i.stepMode=n.stepMode||i.stepMode):k.warn(`shader layout attribute ${n.name} not present in shader`)}for(let n of e?.bindings||[]){let i=SP(t,n.name);if(!i){k.warn(`shader layout binding ${n.name} not present in shader`);continue}Object.assign(i,n)}return t}function SP(r,e){return r.bindings.find(t=>t.name===e||t.name===`${e}Uniforms`||`${t.name}Uniforms`===e)}function EP(r,e){return r[e]||r[`${e}Uniforms`]||r[e.replace(/Uniforms$/,"")]}var rh,TP=P(()=>{J();mP();Vd();zd();Qd();jy();vP();rh=class extends Lr{device;handle;vs;fs;introspectedLayout;bindings={};uniforms={};varyings=null;_uniformCount=0;_uniformSetters={};get[Symbol.toStringTag](){return"WEBGLRenderPipeline"}constructor(e,t){super(e,t),this.device=e;let n=this.sharedRenderPipeline||this.device._createSharedRenderPipelineWebGL(t);this.sharedRenderPipeline=n,this.handle=n.handle,this.vs=n.vs,this.fs=n.fs,this.linkStatus=n.linkStatus,this.introspectedLayout=xP(this.device.gl,this.handle,{uniformBlockLayouts:t._uniformBlockLayouts,shaderLayout:t.shaderLayout}),this.device._setWebGLDebugMetadata(this.handle,this,{spector:{id:this.props.id}}),this.shaderLayout=t.shaderLayout?Az(this.introspectedLayout,t.shaderLayout):this.introspectedLayout}destroy(){this.destroyed||(this.sharedRenderPipeline&&!this.props._sharedRenderPipeline&&this.sharedRenderPipeline.destroy(),this.destroyResource())}setBindings(e,t){let n=zo(ys(this.shaderLayout,e));for(let[i,s]of Object.entries(n)){let o=SP(this.shaderLayout,i);if(o){switch(s||k.warn(`Unsetting binding "${i}" in render pipeline "${this.id}"`)(),o.type){case"uniform":if(!(s instanceof tn)&&!(s.buffer instanceof tn))throw new Error("buffer value");break;case"texture":if(!(s instanceof Bn||s instanceof kn||s instanceof In))throw new Error(`${this} Bad texture binding for ${i}`);break;case"sampler":k.warn(`Ignoring sampler ${i}`)();break;default:throw new Error(o.type)}this.bindings[i]=s}else{let a=this.shaderLayout.bindings.map(c=>`"${c.name}"`).join(", ");t?.disableWarnings||k.warn(`No binding "${i}" in render pipeline "${this.id}", expected one of ${a}`,s)()}}}draw(e){let t=e.renderPass,n=e.bindGroups?zo(e.bindGroups):e.bindings||this.bindings;return t.setPipeline(this),t.setBindings(n),t.setVertexArray(e.vertexArray),t.draw({parameters:e.parameters,topology:e.topology,isInstanced:e.isInstanced,vertexCount:e.vertexCount,indexCount:e.indexCount,instanceCount:e.instanceCount,firstVertex:e.firstVertex,firstIndex:e.firstIndex,firstInstance:e.firstInstance,baseVertex:e.baseVertex,transformFeedback:e.transformFeedback,uniforms:e.uniforms})}_areTexturesRenderable(e){let t=!0;for(let n of this.shaderLayout.bindings)EP(e,n.name)||(k.warn(`Binding ${n.name} not found in ${this.id}`)(),t=!1);return t}_applyBindings(e,t){if(this._syncLinkStatus(),this.linkStatus!=="success")return;let{gl:n}=this.device;n.useProgram(this.handle);let i=0,s=0;for(let o of this.shaderLayout.bindings){let a=EP(e,o.name);if(!a)throw new Error(`No value for binding ${o.name} in ${this.id}`);switch(o.type){case"uniform":let{name:c}=o,l=n.getUniformBlockIndex(this.handle,c);if(l===4294967295)throw new Error(`Invalid uniform block name ${c}`);if(n.uniformBlockBinding(this.handle,l,s),a instanceof tn)n.bindBufferBase(35345,s,a.handle);else{let f=a;n.bindBufferRange(35345,s,f.buffer.handle,f.offset||0,f.size||f.buffer.byteLength-(f.offset||0))}s+=1;break;case"texture":if(!(a instanceof Bn||a instanceof kn||a instanceof In))throw new Error("texture");let u;if(a instanceof Bn)u=a.texture;else if(a instanceof kn)u=a;else if(a instanceof In&&a.colorAttachments[0]instanceof Bn)k.warn("Passing framebuffer in texture binding may be deprecated. Use fbo.colorAttachments[0] instead")(),u=a.colorAttachments[0].texture;else throw new Error("No texture");n.activeTexture(33984+i),n.bindTexture(u.glTarget,u.handle),i+=1;break;case"sampler":break;case"storage":case"read-only-storage":throw new Error(`binding type '${o.type}' not supported in WebGL`)}}}_applyUniforms(e){for(let t of this.shaderLayout.uniforms||[]){let{name:n,location:i,type:s,textureUnit:o}=t,a=e[n]??o;a!==void 0&&pP(this.device.gl,i,s,a)}}_syncLinkStatus(){this.linkStatus=this.sharedRenderPipeline.linkStatus}}});var PP,nh,AP=P(()=>{J();th();PP=4,nh=class extends Ec{device;handle;vs;fs;linkStatus="pending";constructor(e,t){super(e,t),this.device=e,this.handle=t.handle||this.device.gl.createProgram(),this.vs=t.vs,this.fs=t.fs,t.varyings&&t.varyings.length>0&&this.device.gl.transformFeedbackVaryings(this.handle,t.varyings,t.bufferMode||35981),this._linkShaders()}destroy(){this.destroyed||(this.device.gl.useProgram(null),this.device.gl.deleteProgram(this.handle),this.handle.destroyed=!0,this.destroyResource())}async _linkShaders(){let{gl:e}=this.device;if(e.attachShader(this.handle,this.vs.handle),e.attachShader(this.handle,this.fs.handle),k.time(PP,`linkProgram for ${this.id}`)(),e.linkProgram(this.handle),k.timeEnd(PP,`linkProgram for ${this.id}`)(),!this.device.features.has("compilation-status-async-webgl")){let n=this._getLinkStatus();this._reportLinkStatus(n);return}k.once(1,"RenderPipeline linking is asynchronous")(),await this._waitForLinkComplete(),k.info(2,`RenderPipeline ${this.id} - async linking complete: ${this.linkStatus}`)();let t=this._getLinkStatus();this._reportLinkStatus(t)}async _reportLinkStatus(e){switch(e){case"success":return;default:let t=e==="link-error"?"Link error":"Validation error";switch(this.vs.compilationStatus){case"error":throw this.vs.debugShader(),new Error(`${this} ${t} during compilation of ${this.vs}`);case"pending":await this.vs.asyncCompilationStatus,this.vs.debugShader();break;case"success":break}switch(this.fs?.compilationStatus){case"error":throw this.fs.debugShader(),new Error(`${this} ${t} during compilation of ${this.fs}`);case"pending":await this.fs.asyncCompilationStatus,this.fs.debugShader();break;case"success":break}let n=this.device.gl.getProgramInfoLog(this.handle);this.device.reportError(new Error(`${t} during ${e}: ${n}`),this)(),this.device.debug()}}_getLinkStatus(){let{gl:e}=this.device;return e.getProgramParameter(this.handle,35714)?(this._initializeSamplerUniforms(),e.validateProgram(this.handle),e.getProgramParameter(this.handle,35715)?(this.linkStatus="success","success"):(this.linkStatus="error","validation-error")):(this.linkStatus="error","link-error")}_initializeSamplerUniforms(){let{gl:e}=this.device;e.useProgram(this.handle);let t=0,n=e.getProgramParameter(this.handle,35718);for(let i=0;i<n;i++){let s=e.getActiveUniform(this.handle,i);if(s&&eh(s.type)){let o=s.name.endsWith("[0]"),a=o?s.name.slice(0,-3):s.name,c=e.getUniformLocation(this.handle,a);c!==null&&(t=this._assignSamplerUniform(c,s,o,t))}}}_assignSamplerUniform(e,t,n,i){let{gl:s}=this.device;if(n&&t.size>1){let o=Int32Array.from({length:t.size},(a,c)=>i+c);return s.uniform1iv(e,o),i+t.size}return s.uniform1i(e,i),i+1}async _waitForLinkComplete(){let e=async i=>await new Promise(s=>setTimeout(s,i));if(!this.device.features.has("compilation-status-async-webgl")){await e(10);return}let{gl:n}=this.device;for(;;){if(n.getProgramParameter(this.handle,37297))return;await e(10)}}}});function Lz(r,e){let t=e.sourceBuffer,n=e.destinationBuffer;r.gl.bindBuffer(36662,t.handle),r.gl.bindBuffer(36663,n.handle),r.gl.copyBufferSubData(36662,36663,e.sourceOffset??0,e.destinationOffset??0,e.size),r.gl.bindBuffer(36662,null),r.gl.bindBuffer(36663,null)}function Mz(r,e){let{sourceBuffer:t,byteOffset:n=0,destinationTexture:i,mipLevel:s=0,origin:o=[0,0,0],aspect:a="all",bytesPerRow:c,rowsPerImage:l,size:u}=e;if(a!=="all")throw new Error("copyBufferToTexture aspect is not supported in WebGL");i.writeBuffer(t,{byteOffset:n,bytesPerRow:c,rowsPerImage:l,mipLevel:s,x:o[0]??0,y:o[1]??0,z:o[2]??0,width:u[0],height:u[1],depthOrArrayLayers:u[2]})}function Cz(r,e){let{sourceTexture:t,mipLevel:n=0,aspect:i="all",width:s=e.sourceTexture.width,height:o=e.sourceTexture.height,depthOrArrayLayers:a,origin:c=[0,0,0],destinationBuffer:l,byteOffset:u=0,bytesPerRow:f,rowsPerImage:d}=e;if(t instanceof de){t.readBuffer({x:c[0]??0,y:c[1]??0,z:c[2]??0,width:s,height:o,depthOrArrayLayers:a,mipLevel:n,aspect:i,byteOffset:u},l);return}if(i!=="all")throw new Error("aspect not supported in WebGL");if(n!==0||a!==void 0||f||d)throw new Error("not implemented");let{framebuffer:h,destroyFramebuffer:p}=LP(t),m;try{let b=l,w=s||h.width,_=o||h.height,x=xi(h.colorAttachments[0]),E=Nd(x.texture.props.format),T=E.format,A=E.type;r.gl.bindBuffer(35051,b.handle),m=r.gl.bindFramebuffer(36160,h.handle),r.gl.readPixels(c[0],c[1],w,_,T,A,u)}finally{r.gl.bindBuffer(35051,null),m!==void 0&&r.gl.bindFramebuffer(36160,m),p&&h.destroy()}}function Rz(r,e){let{sourceTexture:t,destinationMipLevel:n=0,origin:i=[0,0],destinationOrigin:s=[0,0,0],destinationTexture:o}=e,{width:a=e.destinationTexture.width,height:c=e.destinationTexture.height}=e,{framebuffer:l,destroyFramebuffer:u}=LP(t),[f=0,d=0]=i,[h,p,m]=s,b=r.gl.bindFramebuffer(36160,l.handle),w,_;if(o instanceof kn)w=o,a=Number.isFinite(a)?a:w.width,c=Number.isFinite(c)?c:w.height,w._bind(0),_=w.glTarget;else throw new Error("invalid destination");switch(_){case 3553:case 34067:r.gl.copyTexSubImage2D(_,n,h,p,f,d,a,c);break;case 35866:case 32879:r.gl.copyTexSubImage3D(_,n,h,p,m,f,d,a,c);break;default:}w&&w._unbind(),r.gl.bindFramebuffer(36160,b),u&&l.destroy()}function LP(r){if(r instanceof de){let{width:e,height:t,id:n}=r;return{framebuffer:r.device.createFramebuffer({id:`framebuffer-for-${n}`,width:e,height:t,colorAttachments:[r]}),destroyFramebuffer:!0}}return{framebuffer:r,destroyFramebuffer:!1}}var ih,MP=P(()=>{J();va();Qd();ih=class extends Pc{device;handle=null;commands=[];constructor(e,t={}){super(e,t),this.device=e}_executeCommands(e=this.commands){for(let t of e)switch(t.name){case"copy-buffer-to-buffer":Lz(this.device,t.options);break;case"copy-buffer-to-texture":Mz(this.device,t.options);break;case"copy-texture-to-buffer":Cz(this.device,t.options);break;case"copy-texture-to-texture":Rz(this.device,t.options);break;default:throw new Error(t.name)}}}});function CP(r){switch(r){case"point-list":return 0;case"line-list":return 1;case"line-strip":return 3;case"triangle-list":return 4;case"triangle-strip":return 5;default:throw new Error(r)}}function RP(r){switch(r){case"point-list":return 0;case"line-list":return 1;case"line-strip":return 1;case"triangle-list":return 4;case"triangle-strip":return 4;default:throw new Error(r)}}var Yy=P(()=>{});var Iz,sh,IP=P(()=>{J();Zd();_a();Yy();Gy();Iz=[1,2,4,8],sh=class extends Sc{device;handle=null;glParameters={};pipeline=null;bindings={};bindingsPipeline=null;vertexArray=null;constructor(e,t){super(e,t),this.device=e;let n=this.props.framebuffer,i=!n||n.handle===null;i&&e.getDefaultCanvasContext()._resizeDrawingBufferIfNeeded();let s;if(!t?.parameters?.viewport)if(!i&&n){let{width:o,height:a}=n;s=[0,0,o,a]}else{let[o,a]=e.getDefaultCanvasContext().getDrawingBufferSize();s=[0,0,o,a]}if(this.device.pushState(),this.setParameters({viewport:s,...this.props.parameters}),!i&&n?.colorAttachments.length){let o=n.colorAttachments.map((a,c)=>36064+c);this.device.gl.drawBuffers(o)}else i&&this.device.gl.drawBuffers([1029]);this.clear(),this.props.timestampQuerySet&&this.props.beginTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.beginTimestampIndex)}end(){this.destroyed||(this.props.timestampQuerySet&&this.props.endTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.endTimestampIndex),this.device.popState(),this.destroy())}pushDebugGroup(e){}popDebugGroup(){}insertDebugMarker(e){}executeBundles(e){throw new Error("Render bundles are only supported in WebGPU")}setParameters(e={}){let t={...this.glParameters};t.framebuffer=this.props.framebuffer||null,this.props.depthReadOnly&&(t.depthMask=!this.props.depthReadOnly),t.stencilMask=this.props.stencilReadOnly?0:1,t[35977]=this.props.discard,e.viewport&&(e.viewport.length>=6?(t.viewport=e.viewport.slice(0,4),t.depthRange=[e.viewport[4],e.viewport[5]]):t.viewport=e.viewport),e.scissorRect&&(t.scissorTest=!0,t.scissor=e.scissorRect),e.blendConstant&&(t.blendColor=e.blendConstant),e.stencilReference!==void 0&&(t[2967]=e.stencilReference,t[36003]=e.stencilReference),"colorMask"in e&&(t.colorMask=Iz.map(n=>!!(n&e.colorMask))),this.glParameters=t,Qr(this.device.gl,t)}setPipeline(e){this.pipeline=e}setBindings(e,t){if(!this.pipeline)throw new Error("RenderPass.setPipeline() must be called before setBindings()");this.bindings=zo(ys(this.pipeline.shaderLayout,e)),this.bindingsPipeline=this.pipeline}setVertexArray(e){this.vertexArray=e}draw(e){let t=this.pipeline,n=this.vertexArray;if(!t)throw new Error("RenderPass.setPipeline() must be called before draw()");if(!n)throw new Error("RenderPass.setVertexArray() must be called before draw()");if(t.shaderLayout.bindings.length>0&&this.bindingsPipeline!==t)throw new Error("RenderPass.setBindings() must be called after setPipeline() before draw()");t._syncLinkStatus();let{parameters:i=t.props.parameters,topology:s=t.props.topology,vertexCount:o,indexCount:a,instanceCount:c,isInstanced:l=!1,firstVertex:u=0,transformFeedback:f,uniforms:d=t.uniforms}=e,h=CP(s),p=!!n.indexBuffer,m=n.indexBuffer?.glIndexType,b=a??o??0;if(t.linkStatus!=="success")return k.info(2,`RenderPipeline:${t.id}.draw() aborted - waiting for shader linking`)(),!1;if(!t._areTexturesRenderable(this.bindings))return k.info(2,`RenderPipeline:${t.id}.draw() aborted - textures not yet loaded`)(),!1;this.device.gl.useProgram(t.handle),n.bindBeforeRender(this);let w=f;return w&&w.begin(t.props.topology),t._applyBindings(this.bindings,{disableWarnings:t.props.disableWarnings}),t._applyUniforms(d),dP(this.device,i,this.glParameters,()=>{p&&l?this.device.gl.drawElementsInstanced(h,b,m,u,c||0):p?this.device.gl.drawElements(h,b,m,u):l?this.device.gl.drawArraysInstanced(h,u,o||0,c||0):this.device.gl.drawArrays(h,u,o||0),w&&w.end()}),n.unbindAfterRender(this),!0}drawIndirect(e,t=0){throw new Error("Indirect drawing is only supported in WebGPU")}drawIndexedIndirect(e,t=0){throw new Error("Indirect drawing is only supported in WebGPU")}beginOcclusionQuery(e){this.props.occlusionQuerySet?.beginOcclusionQuery()}endOcclusionQuery(){this.props.occlusionQuerySet?.endOcclusionQuery()}clear(){let e={...this.glParameters},t=0;this.props.clearColors&&this.props.clearColors.forEach((n,i)=>{n&&this.clearColorBuffer(i,n)}),this.props.clearColor!==!1&&this.props.clearColors===void 0&&(t|=16384,e.clearColor=this.props.clearColor),this.props.clearDepth!==!1&&(t|=256,e.clearDepth=this.props.clearDepth),this.props.clearStencil!==!1&&(t|=1024,e.clearStencil=this.props.clearStencil),t!==0&&rn(this.device.gl,e,()=>{this.device.gl.clear(t)})}clearColorBuffer(e=0,t=[0,0,0,0]){rn(this.device.gl,{framebuffer:this.props.framebuffer},()=>{switch(t.constructor){case Int8Array:case Int16Array:case Int32Array:this.device.gl.clearBufferiv(6144,e,t);break;case Uint8Array:case Uint8ClampedArray:case Uint16Array:case Uint32Array:this.device.gl.clearBufferuiv(6144,e,t);break;case Float32Array:this.device.gl.clearBufferfv(6144,e,t);break;default:throw new Error("clearColorBuffer: color must be typed array")}})}}});var kl,BP=P(()=>{J();MP();IP();kl=class extends Tc{device;handle=null;commandBuffer;constructor(e,t){super(e,t),this.device=e,this.commandBuffer=new ih(e,{id:this.id,userData:this.userData})}destroy(){this.destroyResource()}finish(){return this.destroy(),this.commandBuffer}beginRenderPass(e={}){return new sh(this.device,this._applyTimeProfilingToPassProps(e))}beginComputePass(e={}){throw new Error("ComputePass not supported in WebGL")}copyBufferToBuffer(e){this.commandBuffer.commands.push({name:"copy-buffer-to-buffer",options:e})}copyBufferToTexture(e){this.commandBuffer.commands.push({name:"copy-buffer-to-texture",options:e})}copyTextureToBuffer(e){this.commandBuffer.commands.push({name:"copy-texture-to-buffer",options:e})}copyTextureToTexture(e){this.commandBuffer.commands.push({name:"copy-texture-to-texture",options:e})}pushDebugGroup(e){}popDebugGroup(){}insertDebugMarker(e){}resolveQuerySet(e,t,n){throw new Error("resolveQuerySet is not supported in WebGL")}writeTimestamp(e,t){e.writeTimestamp(t)}}});function kP(r){let{target:e,source:t,start:n=0,count:i=1}=r,s=t.length,o=i*s,a=0;for(let c=n;a<s;a++)e[c++]=t[a]??0;for(;a<o;)a<o-a?(e.copyWithin(n+a,n,n+a),a*=2):(e.copyWithin(n+a,n,n+o-a),a=o);return r.target}var OP=P(()=>{});function Bz(r){return Array.isArray(r)?new Float32Array(r):r}function kz(r,e){if(!r||!e||r.length!==e.length||r.constructor!==e.constructor)return!1;for(let t=0;t<r.length;++t)if(r[t]!==e[t])return!1;return!0}var oh,DP=P(()=>{J();ns();By();OP();oh=class r extends Ac{get[Symbol.toStringTag](){return"VertexArray"}device;handle;attributeInfosByLocation;buffer=null;bufferValue=null;static isConstantAttributeZeroSupported(e){return qp()==="Chrome"}constructor(e,t){super(e,t),this.device=e,this.handle=this.device.gl.createVertexArray(),this.attributeInfosByLocation=new Array(this.maxVertexAttributes).fill(null);for(let n of Object.values(Bc(t.shaderLayout,t.bufferLayout)))this.attributeInfosByLocation[n.location]=n}destroy(){super.destroy(),this.buffer&&this.buffer?.destroy(),this.handle&&(this.device.gl.deleteVertexArray(this.handle),this.handle=void 0)}setIndexBuffer(e){let t=e;if(t&&t.glTarget!==34963)throw new Error("Use .setBuffer()");this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34963,t?t.handle:null),this.indexBuffer=t,this.device.gl.bindVertexArray(null)}setBuffer(e,t){let n=t;if(n.glTarget===34963)throw new Error("Use .setIndexBuffer()");let{size:i,type:s,stride:o,offset:a,normalized:c,integer:l,divisor:u}=this._getAccessor(e);this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34962,n.handle),l?this.device.gl.vertexAttribIPointer(e,i,s,o,a):this.device.gl.vertexAttribPointer(e,i,s,c,o,a),this.device.gl.bindBuffer(34962,null),this.device.gl.enableVertexAttribArray(e),this.device.gl.vertexAttribDivisor(e,u||0),this.attributes[e]=n,this.device.gl.bindVertexArray(null)}setConstantWebGL(e,t){this._enable(e,!1),this.attributes[e]=t}bindBeforeRender(){this.device.gl.bindVertexArray(this.handle),this._applyConstantAttributes()}unbindAfterRender(){this.device.gl.bindVertexArray(null)}_applyConstantAttributes(){for(let e=0;e<this.maxVertexAttributes;++e){let t=this.attributes[e];ArrayBuffer.isView(t)&&this.device.setConstantAttributeWebGL(e,t)}}_getAccessor(e){let t=this.attributeInfosByLocation[e];if(!t)throw new Error(`Unknown attribute location ${e}`);let n=Bd(t.bufferDataType);return{size:t.bufferComponents,type:n,stride:t.byteStride,offset:t.byteOffset,normalized:t.normalized,integer:t.integer,divisor:t.stepMode==="instance"?1:0}}_enable(e,t=!0){let i=r.isConstantAttributeZeroSupported(this.device)||e!==0;(t||i)&&(e=Number(e),this.device.gl.bindVertexArray(this.handle),t?this.device.gl.enableVertexAttribArray(e):this.device.gl.disableVertexAttribArray(e),this.device.gl.bindVertexArray(null))}getConstantBuffer(e,t){let n=Bz(t),i=n.byteLength*e,s=n.length*e;if(this.buffer&&i!==this.buffer.byteLength)throw new Error(`Buffer size is immutable, byte length ${i} !== ${this.buffer.byteLength}.`);let o=!this.buffer;if(this.buffer=this.buffer||this.device.createBuffer({byteLength:i}),o||=!kz(n,this.bufferValue),o){let a=Ag(t.constructor,s);kP({target:a,source:n,start:0,count:s}),this.buffer.write(a),this.bufferValue=t}return this.buffer}}});function NP(r){return typeof r=="number"?Number.isInteger(r):/^\d+$/.test(r)}var ah,FP=P(()=>{J();ch();Yy();ah=class extends Lc{device;gl;handle;layout;buffers={};unusedBuffers={};bindOnUse=!0;_bound=!1;constructor(e,t){super(e,t),this.device=e,this.gl=e.gl,this.handle=this.props.handle||this.gl.createTransformFeedback(),this.layout=this.props.layout,t.buffers&&this.setBuffers(t.buffers),Object.seal(this)}destroy(){this.gl.deleteTransformFeedback(this.handle),super.destroy()}begin(e="point-list"){this.gl.bindTransformFeedback(36386,this.handle),this.bindOnUse&&this._bindBuffers(),this.gl.beginTransformFeedback(RP(e))}end(){this.gl.endTransformFeedback(),this.bindOnUse&&this._unbindBuffers(),this.gl.bindTransformFeedback(36386,null)}setBuffers(e){this.buffers={},this.unusedBuffers={},this.bind(()=>{for(let[t,n]of Object.entries(e))this.setBuffer(t,n)})}setBuffer(e,t){let n=this._getVaryingIndex(e),{buffer:i,byteLength:s,byteOffset:o}=this._getBufferRange(t);if(n<0){this.unusedBuffers[e]=i,k.warn(`${this.id} unusedBuffers varying buffer ${e}`)();return}this.buffers[n]={buffer:i,byteLength:s,byteOffset:o},this.bindOnUse||this._bindBuffer(n,i,o,s)}getBuffer(e){if(NP(e))return this.buffers[e]||null;let t=this._getVaryingIndex(e);return this.buffers[t]??null}bind(e=this.handle){if(typeof e!="function")return this.gl.bindTransformFeedback(36386,e),this;let t;return this._bound?t=e():(this.gl.bindTransformFeedback(36386,this.handle),this._bound=!0,t=e(),this._bound=!1,this.gl.bindTransformFeedback(36386,null)),t}unbind(){this.bind(null)}_getBufferRange(e){if(e instanceof tn)return{buffer:e,byteOffset:0,byteLength:e.byteLength};let{buffer:t,byteOffset:n=0,byteLength:i=e.buffer.byteLength}=e;return{buffer:t,byteOffset:n,byteLength:i}}_getVaryingIndex(e){if(NP(e))return Number(e);for(let t of this.layout.varyings||[])if(e===t.name)return t.location;return-1}_bindBuffers(){for(let[e,t]of Object.entries(this.buffers)){let{buffer:n,byteLength:i,byteOffset:s}=this._getBufferRange(t);this._bindBuffer(Number(e),n,s,i)}}_unbindBuffers(){for(let e in this.buffers)this.gl.bindBufferBase(35982,Number(e),null)}_bindBuffer(e,t,n=0,i){let s=t&&t.handle;!s||i===void 0?this.gl.bindBufferBase(35982,e,s):this.gl.bindBufferRange(35982,e,s,n,i)}}});var lh,UP=P(()=>{J();lh=class extends Mc{device;handle;_timestampPairs=[];_pendingReads=new Set;_occlusionQuery=null;_occlusionActive=!1;get[Symbol.toStringTag](){return"QuerySet"}constructor(e,t){if(super(e,t),this.device=e,t.type==="timestamp"){if(t.count<2)throw new Error("Timestamp QuerySet requires at least two query slots");this._timestampPairs=new Array(Math.ceil(t.count/2)).fill(null).map(()=>({activeQuery:null,completedQueries:[]})),this.handle=null}else{if(t.count>1)throw new Error("WebGL occlusion QuerySet can only have one value");let n=this.device.gl.createQuery();if(!n)throw new Error("WebGL query not supported");this.handle=n}Object.seal(this)}destroy(){if(!this.destroyed){this.handle&&this.device.gl.deleteQuery(this.handle);for(let e of this._timestampPairs){e.activeQuery&&(this._cancelPendingQuery(e.activeQuery),this.device.gl.deleteQuery(e.activeQuery.handle));for(let t of e.completedQueries)this._cancelPendingQuery(t),this.device.gl.deleteQuery(t.handle)}this._occlusionQuery&&(this._cancelPendingQuery(this._occlusionQuery),this.device.gl.deleteQuery(this._occlusionQuery.handle));for(let e of Array.from(this._pendingReads))this._cancelPendingQuery(e);this.destroyResource()}}isResultAvailable(e){return this.props.type==="timestamp"?e===void 0?this._timestampPairs.some((t,n)=>this._isTimestampPairAvailable(n)):this._isTimestampPairAvailable(this._getTimestampPairIndex(e)):this._occlusionQuery?this._pollQueryAvailability(this._occlusionQuery):!1}async readResults(e){let t=e?.firstQuery||0,n=e?.queryCount||this.props.count-t;if(this._validateRange(t,n),this.props.type==="timestamp"){let i=new Array(n).fill(0n),s=Math.floor(t/2),o=Math.floor((t+n-1)/2);for(let a=s;a<=o;a++){let c=await this._consumeTimestampPairResult(a),l=a*2,u=l+1;l>=t&&l<t+n&&(i[l-t]=0n),u>=t&&u<t+n&&(i[u-t]=c)}return i}if(!this._occlusionQuery)throw new Error("Occlusion query has not been started");return[await this._consumeQueryResult(this._occlusionQuery)]}async readTimestampDuration(e,t){if(this.props.type!=="timestamp")throw new Error("Timestamp durations require a timestamp QuerySet");if(e<0||t>=this.props.count||t<=e)throw new Error("Timestamp duration range is out of bounds");if(e%2!==0||t!==e+1)throw new Error("WebGL timestamp durations require adjacent even/odd query indices");let n=await this._consumeTimestampPairResult(this._getTimestampPairIndex(e));return Number(n)/1e6}beginOcclusionQuery(){if(this.props.type!=="occlusion")throw new Error("Occlusion queries require an occlusion QuerySet");if(!this.handle)throw new Error("WebGL occlusion query is not available");if(this._occlusionActive)throw new Error("Occlusion query is already active");this.device.gl.beginQuery(35887,this.handle),this._occlusionQuery={handle:this.handle,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null},this._occlusionActive=!0}endOcclusionQuery(){if(!this._occlusionActive)throw new Error("Occlusion query is not active");this.device.gl.endQuery(35887),this._occlusionActive=!1}writeTimestamp(e){if(this.props.type!=="timestamp")throw new Error("Timestamp writes require a timestamp QuerySet");let t=this._getTimestampPairIndex(e),n=this._timestampPairs[t];if(e%2===0){if(n.activeQuery)throw new Error("Timestamp query pair is already active");let i=this.device.gl.createQuery();if(!i)throw new Error("WebGL query not supported");let s={handle:i,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null};this.device.gl.beginQuery(35007,i),n.activeQuery=s;return}if(!n.activeQuery)throw new Error("Timestamp query pair was ended before it was started");this.device.gl.endQuery(35007),n.completedQueries.push(n.activeQuery),n.activeQuery=null}_validateRange(e,t){if(e<0||t<0||e+t>this.props.count)throw new Error("Query read range is out of bounds")}_getTimestampPairIndex(e){if(e<0||e>=this.props.count)throw new Error("Query index is out of bounds");return Math.floor(e/2)}_isTimestampPairAvailable(e){let t=this._timestampPairs[e];return!t||t.completedQueries.length===0?!1:this._pollQueryAvailability(t.completedQueries[0])}_pollQueryAvailability(e){if(e.cancelled||this.destroyed)return e.result=0n,!0;if(e.result!==null||e.disjoint)return!0;if(!this.device.gl.getQueryParameter(e.handle,34919))return!1;let n=!!this.device.gl.getParameter(36795);return e.disjoint=n,e.result=n?0n:BigInt(this.device.gl.getQueryParameter(e.handle,34918)),!0}async _consumeTimestampPairResult(e){let t=this._timestampPairs[e];if(!t||t.completedQueries.length===0)throw new Error("Timestamp query pair has no completed result");let n=t.completedQueries.shift();try{return await this._consumeQueryResult(n)}finally{this.device.gl.deleteQuery(n.handle)}}_consumeQueryResult(e){return e.promise||(this._pendingReads.add(e),e.promise=new Promise((t,n)=>{e.resolve=t,e.reject=n;let i=()=>{if(e.pollRequestId=null,e.cancelled||this.destroyed){this._pendingReads.delete(e),e.promise=null,e.resolve=null,e.reject=null,t(0n);return}if(!this._pollQueryAvailability(e)){e.pollRequestId=this._requestAnimationFrame(i);return}this._pendingReads.delete(e),e.promise=null,e.resolve=null,e.reject=null,e.disjoint?n(new Error("GPU timestamp query was invalidated by a disjoint event")):t(e.result||0n)};i()})),e.promise}_cancelPendingQuery(e){if(this._pendingReads.delete(e),e.cancelled=!0,e.pollRequestId!==null&&(this._cancelAnimationFrame(e.pollRequestId),e.pollRequestId=null),e.resolve){let t=e.resolve;e.promise=null,e.resolve=null,e.reject=null,t(0n)}}_requestAnimationFrame(e){return requestAnimationFrame(e)}_cancelAnimationFrame(e){cancelAnimationFrame(e)}}});var uh,zP=P(()=>{J();uh=class extends Cc{device;gl;handle;signaled;_signaled=!1;constructor(e,t={}){super(e,{}),this.device=e,this.gl=e.gl;let n=this.props.handle||this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE,0);if(!n)throw new Error("Failed to create WebGL fence");this.handle=n,this.signaled=new Promise(i=>{let s=()=>{let o=this.gl.clientWaitSync(this.handle,0,0);o===this.gl.ALREADY_SIGNALED||o===this.gl.CONDITION_SATISFIED?(this._signaled=!0,i()):setTimeout(s,1)};s()})}isSignaled(){if(this._signaled)return!0;let e=this.gl.getSyncParameter(this.handle,this.gl.SYNC_STATUS);return this._signaled=e===this.gl.SIGNALED,this._signaled}destroy(){this.destroyed||this.gl.deleteSync(this.handle)}}});function qy(r){switch(r){case 6406:case 33326:case 6403:case 36244:return 1;case 33339:case 33340:case 33328:case 33320:case 33319:return 2;case 6407:case 36248:case 34837:return 3;case 6408:case 36249:case 34836:return 4;default:return 0}}function GP(r){switch(r){case 5121:return 1;case 33635:case 32819:case 32820:return 2;case 5126:return 4;default:return 0}}var $P=P(()=>{});function VP(r,e){let{sourceX:t=0,sourceY:n=0,sourceAttachment:i=0}=e||{},{target:s=null,sourceWidth:o,sourceHeight:a,sourceDepth:c,sourceFormat:l,sourceType:u}=e||{},{framebuffer:f,deleteFramebuffer:d}=jP(r),{gl:h,handle:p}=f;o||=f.width,a||=f.height;let m=f.colorAttachments[i]?.texture;if(!m)throw new Error(`Invalid framebuffer attachment ${i}`);c=m?.depth||1,l||=m?.glFormat||6408,u||=m?.glType||5121,s=Dz(s,u,l,o,a,c);let b=yt.getDataType(s);u=u||gP(b);let w=h.bindFramebuffer(36160,p);return h.readBuffer(36064+i),h.readPixels(t,n,o,a,l,u,s),h.readBuffer(36064),h.bindFramebuffer(36160,w||null),d&&f.destroy(),s}function WP(r,e){let{target:t,sourceX:n=0,sourceY:i=0,sourceFormat:s=6408,targetByteOffset:o=0}=e||{},{sourceWidth:a,sourceHeight:c,sourceType:l}=e||{},{framebuffer:u,deleteFramebuffer:f}=jP(r);a=a||u.width,c=c||u.height;let d=u;l=l||5121;let h=t;if(!h){let m=qy(s),b=GP(l),w=o+a*c*m*b;h=d.device.createBuffer({byteLength:w})}let p=r.device.createCommandEncoder();return p.copyTextureToBuffer({sourceTexture:r,width:a,height:c,origin:[n,i],destinationBuffer:h,byteOffset:o}),p.destroy(),f&&u.destroy(),h}function jP(r){return r instanceof ms?{framebuffer:r,deleteFramebuffer:!1}:{framebuffer:Oz(r),deleteFramebuffer:!0}}function Oz(r,e){let{device:t,width:n,height:i,id:s}=r;return t.createFramebuffer({...e,id:`framebuffer-for-${s}`,width:n,height:i,colorAttachments:[r]})}function Dz(r,e,t,n,i,s){if(r)return r;e||=5121;let o=Kd(e),a=yt.getTypedArrayConstructor(o),c=qy(t);return new a(n*i*c)}var HP=P(()=>{J();th();$P();Hy()});function YP(r){let e=new Map;for(let t in r){let n=r[t];if(t<"a"){let i=e.get(n);e.set(n,i?`${i}, GL.${t}`:`GL.${t}`)}}return e}var qP=P(()=>{});var Xy={};zn(Xy,{WebGLDevice:()=>Oi});function Nz(r,e,t){switch(t.length){case 1:r.gl.vertexAttrib1fv(e,t);break;case 2:r.gl.vertexAttrib2fv(e,t);break;case 3:r.gl.vertexAttrib3fv(e,t);break;case 4:r.gl.vertexAttrib4fv(e,t);break;default:}}function Fz(r,e,t){r.gl.vertexAttribI4iv(e,t)}function Uz(r,e,t){r.gl.vertexAttribI4uiv(e,t)}function zz(r,e){if(!r||!e||r.length!==e.length||r.constructor!==e.constructor)return!1;for(let t=0;t<r.length;++t)if(r[t]!==e[t])return!1;return!0}var Oi,fh=P(()=>{J();Ry();jT();Iy();qT();rP();nP();iP();sP();Py();va();aP();Vd();uP();hP();Qd();zd();TP();AP();BP();DP();FP();UP();zP();HP();_a();Zd();Ml();qP();Oi=class r extends Yn{static getDeviceFromContext(e){return e?e.luma?.device??null:null}type="webgl";handle;features;limits;info;canvasContext;preferredColorFormat="rgba8unorm";preferredDepthFormat="depth24plus";commandEncoder;lost;_resolveContextLost;_isLost=!1;gl;_glKeyByValue=null;_constants;extensions;_polyfilled=!1;spectorJS;get[Symbol.toStringTag](){return"WebGLDevice"}toString(){return`${this[Symbol.toStringTag]}(${this.id})`}isVertexFormatSupported(e){return e!=="unorm8x4-bgra"}constructor(e){super({...e,id:e.id||oP("webgl-device")});let t=Yn._getCanvasContextProps(e);if(!t)throw new Error("WebGLDevice requires props.createCanvasContext to be set");let n=t.canvas?.gl??null,i=r.getDeviceFromContext(n);if(i)throw new Error(`WebGL context already attached to device ${i.id}`);this.canvasContext=new Gd(this,t),this.lost=new Promise(u=>{this._resolveContextLost=u});let s={...e.webgl};t.alphaMode==="premultiplied"&&(s.premultipliedAlpha=!0),e.powerPreference!==void 0&&(s.powerPreference=e.powerPreference),e.failIfMajorPerformanceCaveat!==void 0&&(s.failIfMajorPerformanceCaveat=e.failIfMajorPerformanceCaveat);let a=this.props._handle||WT(this.canvasContext.canvas,{onContextLost:u=>this._resolveContextLost?.({reason:"destroyed",message:"Entered sleep mode, or too many apps or browser tabs are using the GPU."}),onContextRestored:u=>{console.log("WebGL context restored")}},s);if(!a)throw new Error("WebGL context creation failed");if(i=r.getDeviceFromContext(a),i){if(e._reuseDevices)return k.log(1,`Not creating a new Device, instead returning a reference to Device ${i.id} already attached to WebGL context`,i)(),this.canvasContext.destroy(),i._reused=!0,i;throw new Error(`WebGL context already attached to device ${i.id}`)}this.handle=a,this.gl=a,this.spectorJS=BT({...this.props,gl:this.handle});let c=Ll(this.handle);c.device=this,c.extensions||(c.extensions={}),this.extensions=c.extensions,this.info=HT(this.gl,this.extensions),this.limits=new Ud(this.gl),this.features=new Fd(this.gl,this.extensions,this.props._disabledFeatures),this.props._initializeFeatures&&this.features.initializeFeatures(),new Jr(this.gl,{log:(...u)=>k.log(1,...u)()}).trackState(this.gl,{copyState:!1}),(e.debug||e.debugWebGL)&&(this.gl=RT(this.gl,{debugWebGL:!0,traceWebGL:e.debugWebGL}),k.warn("WebGL debug mode activated. Performance reduced.")()),e.debugWebGL&&(k.level=Math.max(k.level,1)),this.commandEncoder=new kl(this,{id:`${this}-command-encoder`}),this.canvasContext._startObservers()}destroy(){if(!this.props._reuseDevices&&!this._reused){this._isLost=!0,this.commandEncoder?.destroy();let e=Ll(this.handle);e.device=null}}get isLost(){return this._isLost||this.gl.isContextLost()}createCanvasContext(e){throw new Error("WebGL only supports a single canvas")}createPresentationContext(e){return new $d(this,e||{})}createBuffer(e){let t=this._normalizeBufferProps(e);return new tn(this,t)}createTexture(e){return new kn(this,e)}createExternalTexture(e){throw new Error("ExternalTexture is not available on WebGL")}createSampler(e){return new Xd(this,e)}createShader(e){return new jd(this,e)}createFramebuffer(e){return new In(this,e)}createVertexArray(e){return new oh(this,e)}createTransformFeedback(e){return new ah(this,e)}createQuerySet(e){return new lh(this,e)}createFence(){return new uh(this)}createRenderPipeline(e){return new rh(this,e)}_createSharedRenderPipelineWebGL(e){return new nh(this,e)}createComputePipeline(e){throw new Error("ComputePipeline not supported in WebGL")}createRenderBundleEncoder(e){throw new Error("Render bundles are only supported in WebGPU")}createCommandEncoder(e={}){return new kl(this,e)}submit(e){let t=null;e||({submittedCommandEncoder:t,commandBuffer:e}=this._finalizeDefaultCommandEncoderForSubmit());try{e._executeCommands(),t&&t.resolveTimeProfilingQuerySet().then(()=>{this.commandEncoder._gpuTimeMs=t._gpuTimeMs}).catch(()=>{})}finally{e.destroy()}}writeBufferViaCommandEncoder(e,t,n,i=0){t.write(n,i)}_finalizeDefaultCommandEncoderForSubmit(){let e=this.commandEncoder,t=e.finish();return this.commandEncoder.destroy(),this.commandEncoder=this.createCommandEncoder({id:e.props.id,timeProfilingQuerySet:e.getTimeProfilingQuerySet()}),{submittedCommandEncoder:e,commandBuffer:t}}readPixelsToArrayWebGL(e,t){return VP(e,t)}readPixelsToBufferWebGL(e,t){return WP(e,t)}setParametersWebGL(e){Qr(this.gl,e)}getParametersWebGL(e){return Id(this.gl,e)}withParametersWebGL(e,t){return rn(this.gl,e,t)}resetWebGL(){k.warn("WebGLDevice.resetWebGL is deprecated, use only for debugging")(),UT(this.gl)}_getDeviceSpecificTextureFormatCapabilities(e){return JT(this.gl,e,this.extensions)}loseDevice(){let e=!1,n=this.getExtension("WEBGL_lose_context").WEBGL_lose_context;return n&&(e=!0,n.loseContext()),this._resolveContextLost?.({reason:"destroyed",message:"Application triggered context loss"}),e}pushState(){Jr.get(this.gl).push()}popState(){Jr.get(this.gl).pop()}getGLKey(e,t){let n=this._getGLKeyByValue().get(Number(e));return n||(t?.emptyIfUnknown?"":String(e))}getGLKeys(e){let t={emptyIfUnknown:!0};return Object.entries(e).reduce((n,[i,s])=>(n[`${i}:${this.getGLKey(i,t)}`]=`${s}:${this.getGLKey(s,t)}`,n),{})}_getGLKeyByValue(){return this._glKeyByValue??=YP(this.gl),this._glKeyByValue}setConstantAttributeWebGL(e,t){let n=this.limits.maxVertexAttributes;this._constants=this._constants||new Array(n).fill(null);let i=this._constants[e];switch(i&&zz(i,t)&&k.info(1,`setConstantAttributeWebGL(${e}) could have been skipped, value unchanged`)(),this._constants[e]=t,t.constructor){case Float32Array:Nz(this,e,t);break;case Int32Array:Fz(this,e,t);break;case Uint32Array:Uz(this,e,t);break;default:throw new Error("constant")}}getExtension(e){return en(this.gl,e,this.extensions),this.extensions}_setWebGLDebugMetadata(e,t,n){e.luma=t;let i={props:n.spector,id:n.spector.id};e.__SPECTOR_Metadata=i}}});function Gz(r){return typeof WebGL2RenderingContext<"u"&&r instanceof WebGL2RenderingContext?!0:!!(r&&typeof r.createVertexArray=="function")}function XP(r){return{...r,debug:r.debug??Yn.defaultProps.debug,debugWebGL:r.debugWebGL??Yn.defaultProps.debugWebGL,debugSpectorJS:r.debugSpectorJS??!!k.get("debug-spectorjs")}}async function ZP(r){let e=[];(r.debugWebGL||r.debug)&&e.push(CT()),r.debugSpectorJS&&e.push(IT(r));let t=await Promise.allSettled(e);for(let n of t)n.status==="rejected"&&k.error(`Failed to initialize debug libraries ${n.reason}`)()}var Ol,Zy,Dl,KP=P(()=>{J();LT();Py();Ol=1,Zy=class extends mc{type="webgl";enforceWebGL2(e){AT(e)}isSupported(){return typeof WebGL2RenderingContext<"u"}isDeviceHandle(e){return typeof WebGL2RenderingContext<"u"&&e instanceof WebGL2RenderingContext?!0:(typeof WebGLRenderingContext<"u"&&e instanceof WebGLRenderingContext&&k.warn("WebGL1 is not supported",e)(),!1)}async attach(e,t={}){let{WebGLDevice:n}=await Promise.resolve().then(()=>(fh(),Xy));if(e instanceof n)return e;let i=n.getDeviceFromContext(e);if(i)return i;if(!Gz(e))throw new Error("Invalid WebGL2RenderingContext");t=XP(t),await ZP(t);let s=t.createCanvasContext===!0?{}:t.createCanvasContext;return new n({...t,_handle:e,createCanvasContext:{canvas:e.canvas,autoResize:!1,...s}})}async create(e={}){let{WebGLDevice:t}=await Promise.resolve().then(()=>(fh(),Xy));e=XP(e),await ZP(e);try{let n=new t(e);k.groupCollapsed(Ol,`WebGLDevice ${n.id} created`)();let i=`${n._reused?"Reusing":"Created"} device with WebGL2 ${n.props.debug?"debug ":""}context: ${n.info.vendor}, ${n.info.renderer} for canvas: ${n.canvasContext.id}`;return k.probe(Ol,i)(),k.table(Ol,n.info)(),n}finally{k.groupEnd(Ol)(),k.info(Ol,"%cWebGL call tracing: luma.log.set('debug-webgl') ","color: white; background: blue; padding: 2px 6px; border-radius: 3px;")()}}};Dl=new Zy});var ch=P(()=>{KP();fh();Vd()});function ph(r){return c3.test(r)}function mh(r){return l3.test(r)}function u3(r){let e=c3.exec(r),t=l3.exec(r),n=e?.[1]??t?.[1]??r;try{Oe.getVertexFormatInfo(n)}catch{throw new Error(`Unsupported GPUVector format ${r}`)}return n}function ti(r){let e=u3(r),t=ph(r),n=mh(r),i=Oe.getVertexFormatInfo(e),s=i.type,o=i.normalized,a=Hz(s,o);return{format:r,elementFormat:e,vertexList:t,valueList:n,type:s,signedDataType:Yz(e,s),primitiveType:a,components:i.components,byteLength:i.byteLength,integer:i.integer,signed:i.signed,normalized:o,...i.webglOnly?{webglOnly:!0}:{}}}function Hz(r,e){if(e)return"f32";switch(r){case"float32":return"f32";case"float16":return"f16";case"uint8":case"uint16":case"uint32":return"u32";case"sint8":case"sint16":case"sint32":return"i32";default:throw new Error(`Unsupported GPUVector component type ${r}`)}}function Yz(r,e){if(r==="unorm10-10-10-2")return"uint32";switch(e){case"unorm8":return"uint8";case"snorm8":return"sint8";case"unorm16":return"uint16";case"snorm16":return"sint16";default:return e}}var c3,l3,gh=P(()=>{J();c3=/^vertex-list<([^<>]+)>$/,l3=/^value-list<([^<>]+)>$/});function Jy(r,e){if(!Number.isSafeInteger(r)||r<0)throw new Error(`${e} must be a non-negative safe integer`)}var ri,e_=P(()=>{J();ri=class{buffer;format;length;byteOffset;byteStride;constructor(e){let t=Oe.getVertexFormatInfo(e.format).byteLength,n=e.byteOffset??0,i=e.byteStride??t;if(Jy(e.length,"GPUDataView length"),Jy(n,"GPUDataView byteOffset"),Jy(i,"GPUDataView byteStride"),i<t)throw new Error(`GPUDataView byteStride ${i} is smaller than ${e.format} byte length ${t}`);let s=e.length===0?0:(e.length-1)*i+t,o=n+s;if(!Number.isSafeInteger(s)||!Number.isSafeInteger(o))throw new Error("GPUDataView byte range must use safe integers");if(o>e.buffer.byteLength)throw new Error("GPUDataView exceeds its backing buffer byte length");this.buffer=e.buffer,this.format=e.format,this.length=e.length,this.byteOffset=n,this.byteStride=i}get elementByteLength(){return Oe.getVertexFormatInfo(this.format).byteLength}get byteLength(){return this.length===0?0:(this.length-1)*this.byteStride+this.elementByteLength}}});function yh(r){return!!(r&&typeof r=="object"&&r.type==="struct")}function d3(r,e){let t=Object.entries(r);if(t.length===0)throw new Error("GPUData struct format must declare at least one field");return e==="packed"?qz(t):Xz(t)}function qz(r){let e=[],t=0,n=0;for(let[i,s]of r){let o=Oe.getVertexFormatInfo(s);if(o.webglOnly)throw new Error(`Packed GPUData struct field "${i}" uses WebGL-only format ${s}`);t=f3(t,Math.min(4,o.byteLength)),e.push([i,Object.freeze({format:s,byteOffset:t,byteLength:o.byteLength})]),t+=o.byteLength,n+=o.components}return Object.freeze({type:"struct",layout:"packed",fields:Object.freeze(Object.fromEntries(e)),components:n,byteStride:f3(t,4),rowByteLength:t})}function Xz(r){let e=Object.fromEntries(r.map(([o,a])=>[o,Zz(a)])),t=_s(e,{layout:"wgsl-storage"}),n=[],i=0,s=0;for(let[o,a]of r){let c=Oe.getVertexFormatInfo(a),l=t.fields[o].offset*4;n.push([o,Object.freeze({format:a,byteOffset:l,byteLength:c.byteLength})]),i=Math.max(i,l+c.byteLength),s+=c.components}return Object.freeze({type:"struct",layout:"wgsl-storage",fields:Object.freeze(Object.fromEntries(n)),components:s,byteStride:t.byteLength,rowByteLength:i})}function Zz(r){let e=Oe.getVertexFormatInfo(r);switch(e.type){case"float32":return bh("f32",e.components);case"sint32":return bh("i32",e.components);case"uint32":return bh("u32",e.components);default:{let t=Math.ceil(e.byteLength/4);return bh("u32",t)}}}function bh(r,e){return e===1?r:`vec${e}<${r}>`}function f3(r,e){return Math.ceil(r/e)*e}var h3=P(()=>{J()});var t_,r_,Ea,n_=P(()=>{e_();h3();gh();t_=class{buffer;ownsDataBuffer;constructor(e,t){this.buffer=e,this.ownsDataBuffer=t}get ownsBuffer(){return this.ownsDataBuffer}transferBufferOwnership(e){if(e.buffer!==this.buffer)throw new Error("GPUData ownership can only be transferred to the same buffer");e.ownsDataBuffer=this.ownsDataBuffer,this.ownsDataBuffer=!1}destroy(){this.ownsDataBuffer&&(this.buffer.destroy(),this.ownsDataBuffer=!1)}},r_=class extends t_{dataType;format;length;valueLength;stride;byteOffset;byteStride;rowByteLength;readbackMetadata;valueOffsets;nullBitmap;valueByteLength;constructor(e){let{buffer:t,format:n,length:i,valueLength:s,stride:o,byteOffset:a=0,byteStride:c,rowByteLength:l,ownsBuffer:u=!1,readbackMetadata:f,valueOffsets:d,nullBitmap:h,valueByteLength:p,dataType:m}=e;super(t,u);let b;n?typeof n=="string"?b=n:b=d3(n,e.layout??"wgsl-storage"):b=void 0;let w=yh(b)?b:void 0,_=typeof b=="string"?ti(b):void 0;if(this.dataType=m,this.format=b,this.length=i,this.valueLength=s??i,this.stride=o??_?.components??w?.components??c??l??1,this.byteOffset=a,this.rowByteLength=l??w?.rowByteLength??_?.byteLength??c??this.stride,this.byteStride=c??w?.byteStride??this.rowByteLength,w){if(this.rowByteLength<w.rowByteLength)throw new Error(`GPUData rowByteLength ${this.rowByteLength} is smaller than struct format row byte length ${w.rowByteLength}`);if(this.byteStride<Math.max(w.byteStride,this.rowByteLength))throw new Error(`GPUData byteStride ${this.byteStride} is smaller than its struct row layout`)}this.readbackMetadata=f,this.valueOffsets=d,this.nullBitmap=h,this.valueByteLength=p}getChild(e){if(!yh(this.format))return null;let t=this.format.fields[e];return t?new ri({buffer:this.buffer,format:t.format,length:this.length,byteOffset:this.byteOffset+t.byteOffset,byteStride:this.byteStride}):null}getChildAt(e){if(!yh(this.format))return null;let t=Object.values(this.format.fields)[e];return t?new ri({buffer:this.buffer,format:t.format,length:this.length,byteOffset:this.byteOffset+t.byteOffset,byteStride:this.byteStride}):null}},Ea=r_});function p3(r){let e=r.format?ti(r.format):void 0,t=r.rowByteLength??r.byteStride??e?.byteLength;if(t===void 0)throw new Error("GPUVector requires format or explicit rowByteLength");return{stride:r.stride??e?.components??1,byteStride:r.byteStride??t,rowByteLength:t}}function Kz(r){return r[0]?.format}function Qz(r,e){if(r.find(n=>n.format!==e))throw new Error("GPUVector data chunks must share the declared format")}var On,m3=P(()=>{n_();gh();On=class{name;dataType;format;length;valueLength;stride;byteOffset;byteStride;rowByteLength;bufferLayout;data=[];device;bufferProps;isAppendable=!1;ownsDataChunks=!0;ownedVectors=[];appendableByteLength=0;constructor(e){switch(e.type){case"buffer":{let{name:t,buffer:n,format:i,length:s,valueLength:o=s,byteOffset:a=0,ownsBuffer:c=!1}=e,{stride:l,byteStride:u,rowByteLength:f}=p3(e);this.name=t,this.dataType=e.dataType,this.format=i,this.length=s,this.valueLength=o,this.stride=l,this.byteOffset=a,this.byteStride=u,this.rowByteLength=f,this.data.push(new Ea({buffer:n,format:i,length:s,valueLength:o,stride:l,byteOffset:a,byteStride:u,rowByteLength:f,ownsBuffer:c,dataType:e.dataType}));return}case"interleaved":{let{name:t,buffer:n,format:i,length:s,valueLength:o=s,byteOffset:a=0,byteStride:c,attributes:l,ownsBuffer:u=!1}=e;this.name=t,this.dataType=e.dataType,this.format=i,this.length=s,this.valueLength=o,this.stride=c,this.byteOffset=a,this.byteStride=c,this.rowByteLength=c,this.bufferLayout={name:t,byteStride:c,attributes:l},this.data.push(new Ea({buffer:n,format:i,length:s,valueLength:o,stride:c,byteOffset:a,byteStride:c,rowByteLength:c,ownsBuffer:u,dataType:e.dataType}));return}case"data":{let t=e.format??Kz(e.data),n=t?ti(t):void 0,{name:i,data:s,stride:o=s[0]?.stride??n?.components??1,valueLength:a=s.reduce((d,h)=>d+h.valueLength,0),byteStride:c=s[0]?.byteStride??n?.byteLength,rowByteLength:l=s[0]?.rowByteLength??n?.byteLength,bufferLayout:u,ownsData:f=!1}=e;if(c===void 0||l===void 0)throw new Error("GPUVector requires format or explicit byte layout metadata");t&&Qz(s,t),this.name=i,this.dataType=e.dataType,this.format=t,this.length=s.reduce((d,h)=>d+h.length,0),this.valueLength=a,this.stride=o,this.byteOffset=s.length===1?s[0].byteOffset:0,this.byteStride=c,this.rowByteLength=l,this.bufferLayout=u,this.ownsDataChunks=f,this.data.push(...s);return}case"appendable":{let{name:t,device:n,format:i,valueLength:s=0,bufferProps:o}=e,{stride:a,byteStride:c,rowByteLength:l}=p3(e);this.name=t,this.dataType=e.dataType,this.format=i,this.length=0,this.valueLength=s,this.stride=a,this.byteOffset=0,this.byteStride=c,this.rowByteLength=l,this.device=n,this.bufferProps=o,this.isAppendable=!0;return}}}get ownsBuffer(){return this.ownsDataChunks&&this.data.some(e=>e.ownsBuffer)||this.ownedVectors.some(e=>e.ownsBuffer)}get capacityRows(){return this.isAppendable?this.length:void 0}get appendedByteLength(){return this.appendableByteLength}addData(e){if(this.format&&e.format!==this.format)throw new Error("GPUVector.addData() requires matching formats");if(e.byteStride!==this.byteStride)throw new Error("GPUVector.addData() requires matching byteStride");if(e.rowByteLength!==this.rowByteLength)throw new Error("GPUVector.addData() requires matching rowByteLength");return this.data.push(e),this.length+=e.length,this.valueLength+=e.valueLength,this}appendDataChunk(e,t=this.appendableByteLength+e.buffer.byteLength){if(!this.isAppendable)throw new Error("GPUVector.appendDataChunk() requires appendable vector storage");if(this.format&&e.format!==this.format)throw new Error("GPUVector.appendDataChunk() requires matching formats");if(e.byteStride!==this.byteStride||e.rowByteLength!==this.rowByteLength)throw new Error("GPUVector.appendDataChunk() requires matching byte layout metadata");return this.data.push(e),this.length+=e.length,this.valueLength+=e.valueLength,this.appendableByteLength=t,this}resetLastBatch(){if(!this.isAppendable)throw new Error("GPUVector.resetLastBatch() requires appendable vector storage");for(let e of this.data.splice(0))e.destroy();return this.length=0,this.valueLength=0,this.appendableByteLength=0,this}retainOwnedVectors(e){return this.ownedVectors.push(...e),this}transferBufferOwnership(e){let t=this.data[0],n=e.data[0];if(!t||!n||t.buffer!==n.buffer)throw new Error("GPUVector ownership can only be transferred to the same buffer");t.transferBufferOwnership(n)}destroy(){if(this.ownsDataChunks)for(let e of this.data)e.destroy();for(let e of this.ownedVectors.splice(0))e.destroy()}}});var i_=P(()=>{n_();e_();m3();gh()});var s_,zt,Gl=P(()=>{J();s_=class{poolSize=20;bufferPools;constructor(){this.bufferPools=new Map}createOrReuse(e,t){if(t>e.limits.maxBufferSize)throw new Error(`Buffer pool cannot allocate ${t} bytes: device.limits.maxBufferSize is ${e.limits.maxBufferSize}`);let n=this.bufferPools.get(e),i=n?n.findIndex(o=>o.byteLength>=t):-1;if(i<0)return e.createBuffer({usage:re.VERTEX|re.STORAGE|re.COPY_DST|re.COPY_SRC,byteLength:t});let[s]=n.splice(i,1);return s}recycle(e){let t=e.device;this.bufferPools.has(t)||this.bufferPools.set(t,[]);let n=this.bufferPools.get(t),i=n.findIndex(s=>s.byteLength>e.byteLength);i<0?n.push(e):n.splice(i,0,e),this.purge()}purge(){for(let[e,t]of this.bufferPools){let n=e.isLost?0:this.poolSize;for(;t.length>n;)t.shift().destroy();t.length===0&&this.bufferPools.delete(e)}}},zt=new s_});function Jz(r,e,t,n){let{ValueType:i,size:s,offset:o,stride:a}=r,c=a/i.BYTES_PER_ELEMENT,l=o/i.BYTES_PER_ELEMENT,u=n-t;if(c===s){let d=l+t*c;return e.subarray(d,d+u*s)}let f=new i(u*s);for(let d=0;d<u;d++){let h=l+(t+d)*c;f.set(e.subarray(h,h+s),d*s)}return f}function xh(r){if(r instanceof xe)return r;if(typeof r=="number"||Array.isArray(r))return xe.fromConstant(r);if(r instanceof Ea)return xe.fromGPUData(r);if(r instanceof ri)return xe.fromGPUDataView(r);throw new Error("getGPUDataEvaluator() requires GPUDataEvaluator, GPUData, GPUDataView, number, or number[]")}function eG(r){if(!r.format)throw new Error("GPUDataEvaluator.fromGPUData() requires GPUData format metadata");if(ph(r.format)||mh(r.format))throw new Error("GPUDataEvaluator.fromGPUData() does not support variable-length input");let t=ti(r.format).byteLength;if(r.rowByteLength!==t)throw new Error(`GPUDataEvaluator.fromGPUData() requires rowByteLength ${t} for GPUData`)}function g3(r){let e=ti(r.format),t=us(e.signedDataType),n=t.BYTES_PER_ELEMENT*e.components;if(e.byteLength!==n)throw new Error(`GPUDataEvaluator does not support packed vertex format ${r.format}: ${e.byteLength} physical bytes cannot expose ${e.components} ${e.signedDataType} components`);if(r.byteOffset%t.BYTES_PER_ELEMENT!==0||r.byteStride%t.BYTES_PER_ELEMENT!==0)throw new Error(`GPUDataEvaluator requires ${r.format} offset and stride aligned to ${t.BYTES_PER_ELEMENT} bytes`);return{type:e.signedDataType,size:e.components,offset:r.byteOffset,stride:r.byteStride,normalized:e.normalized,length:r.length,format:r.format}}function _h(r){let e=tG(r).buffer;return e instanceof Et?e.buffer:e}function tG(r){let[e,...t]=r.data;if(!e||t.length>0)throw new Error(`GPUDataEvaluator requires exactly one GPUData chunk for "${r.name}"`);return e}function rG(r){let e=[];return b3(r,e,{byteOffset:0}),e}function b3(r,e,t){let n=r.source;if(n&&!(n instanceof xe)&&n.name==="interleave"){for(let i of Object.values(n.inputs))i instanceof xe&&b3(i,e,t);return}e.push({attribute:r.id??r.toString(),format:y3(r.type,r.size,r.normalized),byteOffset:t.byteOffset}),t.byteOffset+=r.ValueType.BYTES_PER_ELEMENT*r.size}function y3(r,e,t=!1){if(e<1||e>4)throw new Error(`Cannot synthesize a GPUVector vertex format with ${e} components`);let n=r;if(t)switch(r){case"uint8":n="unorm8";break;case"sint8":n="snorm8";break;case"uint16":n="unorm16";break;case"sint16":n="snorm16";break;case"float32":n="float32";break;default:throw new Error(`Unsupported normalized vertex format for ${r}`)}return(n==="uint8"||n==="sint8"||n==="uint16"||n==="sint16"||n==="unorm8"||n==="snorm8"||n==="unorm16"||n==="snorm16")&&e===3?`${n}x3-webgl`:`${n}${e===1?"":`x${e}`}`}function nG(r,e,t=!1){return e>=1&&e<=4?y3(r,e,t):void 0}var xe,ni=P(()=>{J();He();i_();Gl();xe=class r{static get bufferPoolSize(){return zt.poolSize}static set bufferPoolSize(e){if(!Number.isSafeInteger(e)||e<0)throw new Error("GPUDataEvaluator.bufferPoolSize must be a non-negative safe integer");zt.poolSize=e,zt.purge()}type;size;get offset(){return this._offset}get stride(){return this._stride}normalized;isConstant;length;get byteLength(){return this._byteLength}ValueType;source=null;format;_id;_destroyed=!1;_value;_offset;_stride;_byteLength;_gpuVector;_bufferOwnership="owned";_targetBuffer;static fromArray(e,{type:t,size:n=1,offset:i=0,stride:s=0,normalized:o=!1}){let a=t,c;if(Array.isArray(e)){a=a||"float32";let u=us(a);c=new u(e)}else e instanceof Float64Array?(a="uint32",n*=2,i*=2,s*=2,c=new Uint32Array(e.buffer,e.byteOffset,e.byteLength/4)):(a=a||xf(e),c=e);let l=`<${a} * ${n}>`;return new r({id:l,type:a,size:n,offset:i,stride:s,normalized:o,value:c})}static fromConstant(e,t="float32"){let n=us(t),i;return Array.isArray(e)?i=`[${e.join(",")}]`:(i=String(e),e=[e]),new r({id:i,isConstant:!0,type:t,size:e.length,value:new n(e)})}static fromGPUData(e,t={}){eG(e);let n=new ri({buffer:e.buffer,format:e.format,length:e.length,byteOffset:e.byteOffset,byteStride:e.byteStride});return new r({...g3(n),id:t.id,gpuData:e})}static fromGPUDataView(e,t={}){return new r({...g3(e),id:t.id,buffer:e.buffer})}constructor(e){let{id:t,value:n,buffer:i,gpuData:s,format:o,source:a=null,isConstant:c=!1}=e;if(!a&&!n&&!i&&!s)throw new Error("GPUDataEvaluator must have a value source");let{type:l,size:u,offset:f,stride:d,normalized:h,length:p}=e;if(a instanceof r?(l=l??a.type,u=u??a.size,f=f??a.offset,d=d??a.stride,h=h??a.normalized,p=p??a.length):(u=u??1,f=f??0,h=h??!1,p=c?1:p),!l)throw new Error("GPUDataEvaluator: type not defined");if(this._id=t,this.type=l,this.size=u,this.ValueType=us(this.type),this._offset=f,this._stride=d||this.ValueType.BYTES_PER_ELEMENT*u,this.normalized=h,this.source=a,this.format=o,p===void 0)if(c)p=1;else{if(!n)throw new Error("GPUDataEvaluator: length not defined");p=Math.ceil(n.byteLength/this.stride)}this.isConstant=c,this.length=p;let m=this.ValueType.BYTES_PER_ELEMENT*this.size;this._byteLength=p===0?0:(p-1)*this.stride+m,this._value=n,this._bufferOwnership=a instanceof r||i||s?"borrowed":"owned",s?this._gpuVector=new On({type:"data",name:this._id??"data",format:s.format,data:[s],stride:s.stride,byteStride:s.byteStride,rowByteLength:s.rowByteLength}):i&&(this._gpuVector=this.createGPUVectorView({buffer:i,name:this._id,format:this.format}))}get value(){return this._value||(this.source instanceof r?this.source.value:void 0)}get evaluated(){return!!this._gpuVector}get id(){return this._id}get gpuVector(){if(!this._gpuVector)throw new Error(`${this} not evaluated`);return this._gpuVector}get buffer(){return _h(this.gpuVector)}setTargetBuffer({buffer:e,byteOffset:t=0,byteStride:n=this.stride}){if(this._destroyed)throw new Error(`GPUDataEvaluator ${this} already destroyed`);if(this._gpuVector)throw new Error(`GPUDataEvaluator ${this} already evaluated`);if(!this.source||this.source instanceof r)throw new Error("GPUDataEvaluator target buffers require a deferred operation source");this._targetBuffer={buffer:e,byteOffset:t,byteStride:n}}async evaluate(e,t={}){if(this._destroyed)throw new Error(`GPUDataEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let n;if(this.source instanceof r){let i=await this.source.evaluate(e);return this._gpuVector=this.createGPUVectorView({...t,buffer:_h(i)}),this._gpuVector}if(n=this._getEvaluationBuffer(e),this._value)n.write(this._value);else{let i=await this.source.execute(e,n);if(!i.success)throw i.error||new Error(`${this.source} evaluation failed`);i.value&&(this._value=i.value)}return this._gpuVector=this.createGPUVectorView({...t,buffer:n}),this._gpuVector}evaluateSync(e,t={}){if(this._destroyed)throw new Error(`GPUDataEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let n;if(this.source instanceof r){let i=this.source.evaluateSync(e);return this._gpuVector=this.createGPUVectorView({...t,buffer:_h(i)}),this._gpuVector}if(n=this._getEvaluationBuffer(e),this._value)n.write(this._value);else{let i=this.source.executeSync(e,n);if(!i.success)throw i.error||new Error(`${this.source} evaluation failed`);i.value&&(this._value=i.value)}return this._gpuVector=this.createGPUVectorView({...t,buffer:n}),this._gpuVector}createGPUVectorView(e){let t=e.name??this._id??"vector",n=e.format??this.format??nG(this.type,this.size,this.normalized);if(e.interleaved){let i=typeof e.interleaved=="object"&&e.interleaved.attributes?e.interleaved.attributes:rG(this);return new On({type:"interleaved",name:t,buffer:e.buffer,format:e.format??this.format,length:this.length,byteOffset:this.offset,byteStride:this.stride,attributes:i,ownsBuffer:!1})}return new On({type:"buffer",name:t,buffer:e.buffer,format:n,length:this.length,stride:this.size,byteOffset:this.offset,byteStride:this.stride,rowByteLength:this.ValueType.BYTES_PER_ELEMENT*this.size,ownsBuffer:!1})}_getEvaluationBuffer(e){let t=this._targetBuffer;if(!t)return zt.createOrReuse(e,this.byteLength);if(t.buffer.device!==e)throw new Error("GPUDataEvaluator target buffer belongs to a different device");let n=this.ValueType.BYTES_PER_ELEMENT*this.size,i=this.length===0?0:(this.length-1)*t.byteStride+n;if(t.byteOffset+i>t.buffer.byteLength)throw new Error("GPUDataEvaluator target buffer is too small for the output layout");return this._offset=t.byteOffset,this._stride=t.byteStride,this._byteLength=i,this._bufferOwnership="borrowed",this._targetBuffer=void 0,t.buffer}async readValue(e=0,t){let{ValueType:n}=this,{size:i,offset:s,stride:o,length:a}=this,c=n.BYTES_PER_ELEMENT*i;if(t=t??a,e=Math.max(0,Math.min(a,e)),t=Math.max(e,Math.min(a,t)),this._value)return Jz(this,this._value,e,t);let l=t-e;if(l===0)return new n(0);let u=s+e*o,f=o===c?l*c:(l-1)*o+c,d=await this.buffer.readAsync(u,f),h=new n(d.buffer,d.byteOffset,d.byteLength/n.BYTES_PER_ELEMENT);if(o===c)return h;let p=new Uint8Array(c*l);for(let m=0;m<l;m++){let b=m*o;p.set(d.subarray(b,b+c),m*c)}return new n(p.buffer)}async ensureCPUValue(){let e=this.value;if(e)return e;let t=await this.buffer.readAsync(0,this.offset+this.byteLength);if(t.byteLength%this.ValueType.BYTES_PER_ELEMENT!==0)throw new Error(`${this} backing buffer byte length is not aligned to its scalar type`);let n=t.slice();return this._value=new this.ValueType(n.buffer,n.byteOffset,n.byteLength/this.ValueType.BYTES_PER_ELEMENT),this._value}ensureCPUValueSync(){let e=this.value;if(e)return e;throw new Error(`${this} CPU value is not available for synchronous evaluation`)}toString(){return this._id??this.source?.toString()??this.constructor.name}destroy(){this._gpuVector&&(this._bufferOwnership==="owned"&&zt.recycle(_h(this._gpuVector)),this._gpuVector=void 0),this._targetBuffer=void 0,this._destroyed=!0}}});var Sa,wh=P(()=>{Sa={add:{arity:2,symbol:"arithmetic_add"},subtract:{arity:2,symbol:"arithmetic_subtract"},multiply:{arity:2,symbol:"arithmetic_multiply"},divide:{arity:2,symbol:"arithmetic_divide"},pow:{arity:2,symbol:"pow"},sqrt:{arity:1,symbol:"sqrt"},abs:{arity:1,symbol:"abs"},sin:{arity:1,symbol:"sin"},cos:{arity:1,symbol:"cos"},tan:{arity:1,symbol:"arithmetic_tan"},exp:{arity:1,symbol:"exp"},log:{arity:1,symbol:"log"}}});function B3(r,{operations:e,inputs:t}){switch(r.kind){case"input":if(!(r.name in t))throw new Error(`Unknown expression input '${r.name}'`);return;case"literal":if(Array.isArray(r.value)){for(let n of r.value)if(!Number.isFinite(n))throw new Error(`Expression literal array must contain only finite values, got ${n}`)}else if(!Number.isFinite(r.value))throw new Error(`Expression literal must be finite, got ${r.value}`);return;case"call":{let n=e[r.op];if(!n)throw new Error(`Unknown expression op '${r.op}'`);if(r.args.length!==n.arity)throw new Error(`Expression op '${r.op}' expects ${n.arity} args, got ${r.args.length}`);for(let i of r.args)B3(i,{operations:e,inputs:t});return}default:{let n=r;throw new Error(`Unsupported expression node ${n.kind}`)}}}function vh(r,e){return B3(r,e),k3(r,e)}function k3(r,e){switch(r.kind){case"input":{let t=e.inputs[r.name];return e.laneIndex<t.size?e.formatInput(r.name):e.formatOutOfBoundsInput(r.name)}case"literal":return e.formatLiteral(r.value);case"call":{let t=e.operations[r.op],n=r.args.map(i=>k3(i,e));return e.formatCall(t.symbol,n)}default:{let t=r;throw new Error(`Unsupported expression node ${t.kind}`)}}}var l_=P(()=>{});function Tt(r,e,t=!1){if(t)return e===1?"float":`vec${e}`;switch(r){case"uint8":case"uint16":case"uint32":return e===1?"uint":`uvec${e}`;case"sint8":case"sint16":case"sint32":return e===1?"int":`ivec${e}`;default:return e===1?"float":`vec${e}`}}function Eh(r,e,t=!1){let n;if(t)switch(r){case"uint8":n="unorm8";break;case"sint8":n="snorm8";break;case"uint16":n="unorm16";break;case"sint16":n="snorm16";break;case"float32":n="float32";break;default:throw new Error(`Unsupported normalized vertex format for ${r}`)}else n=r;return e===1?n:e===3&&!n.startsWith("float32")&&!n.endsWith("32")?`${n}x3-webgl`:`${n}x${e}`}function Di(r){switch(r[0]){case"u":return"0u";case"s":return"0";default:return"0."}}function O3(r,e){switch(r){case"uint8":case"uint16":case"uint32":return`${Math.trunc(e)}u`;case"sint8":case"sint16":case"sint32":return`${Math.trunc(e)}`;default:return Number.isInteger(e)?`${e}.0`:`${e}`}}function D3(r){switch(r){case"uint8":return"r8uint";case"sint8":return"r8sint";case"uint16":return"r16uint";case"sint16":return"r16sint";case"uint32":return"r32uint";case"sint32":return"r32sint";case"float32":return"r32float";default:throw new Error(`Unsupported WebGL gather texture format for ${r}`)}}function N3(r){switch(r){case"uint32":return"usampler2D";case"sint32":return"isampler2D";case"float32":return"sampler2D";default:throw new Error(`Unsupported WebGL gather sampler type for ${r}`)}}var Pa=P(()=>{});function Pt({module:r,elementWise:e=!1,expression:t,inputs:n,output:i,operationType:s=i.type,outputBuffer:o}){let a=o.device,c=js("result",i.type,i.size,i.normalized),l=[r,c],u=[],f={},d=Tt(i.type,1,i.normalized),h=Tt(s,1,i.normalized),p="",m=null,b={TYPE:h,RESULT_LEN:i.size.toString()},w=dG(n);for(let[T,A]of w)l.push(u_(T,A.type,A.size,A.normalized,s)),u.push(f_(T,A)),A instanceof xe?f[T]=A.buffer:(m=m||zt.createOrReuse(a,o.byteLength),f[T]=m),p+=`TYPE ${T}[${A.size}]; get_${T}(${T});
`,b[`${T.toUpperCase()}_LEN`]=A.size.toString();let _="";if(t)for(let T=0;T<i.size;T++)_+=`result[${T}]=${t(T)};
`;else if(e)for(let T=0;T<i.size;T++){let A=Di(h),I=w.map(([D,N])=>T<N.size?`${D}[${T}]`:A);_+=`result[${T}]=${r.name}(${I.join(", ")});
`}else _=`${r.name}(${w.map(([T])=>T).join(", ")}, result);`;let x=`#version 300 es

void main() {
${p}
${d} result[${i.size}];
${_}
set_result(result);
}
  `,E=new St(a,{vs:x,shaderAssembler:fG,defines:b,modules:l,bufferLayout:u,vertexCount:1,instanceCount:i.length,attributes:f,feedbackBufferMode:"interleaved",outputs:c.varyings});a.statsManager.getStats(lG).get(uG).incrementCount(),E.run({inputBuffers:f,outputBuffers:{[c.varyings[0]]:i.offset===0?o:{buffer:o,byteOffset:i.offset,byteLength:i.byteLength}}}),m&&zt.recycle(m)}function dG(r){return Array.isArray(r)?r.map((e,t)=>[`x${t}`,e]):Object.entries(r)}function u_(r,e,t,n=!1,i=e){let s="",o="";for(let c=0;c<t;c+=4){let l=Math.min(t-c,4),u=Tt(e,l,n);s+=`in ${u} a${r}_${c};
`;for(let f=0;f<l;f++){let d=`a${r}_${c}`;l>1&&(d=`${d}[${f}]`),(n||e!==i)&&(d=`TYPE(${d})`),o+=`v[${c+f}]=${d};
`}}let a=`
${s}
void get_${r}(out TYPE v[${t}]) {
  ${o}
}
`;return{name:r,vs:a}}function f_(r,e){let t={name:r,stepMode:e.isConstant?"vertex":"instance",byteStride:e.stride,attributes:[]};for(let n=0;n<e.size;n+=4){let i=Math.min(e.size-n,4);t.attributes.push({attribute:`a${r}_${n}`,format:Eh(e.type,i,e.normalized),byteOffset:e.offset+e.ValueType.BYTES_PER_ELEMENT*n})}return t}function js(r,e,t,n=!1){let i=[],s=Tt(e,1,n),o="",a="";for(let c=0;c<t;c+=4){let l=Math.min(t-c,4),u=Tt(e,l,n);i.push(`${r}_${c}`),o+=`flat out ${u} ${r}_${c};
`;let f=Array.from({length:l},(d,h)=>c+h);a+=`${r}_${c} = ${u}(${f.map(d=>`v[${d}]`).join(",")});
`}return{name:r,varyings:i,vs:`
${o}
void set_${r}(in ${s} v[${t}]) {
  ${a}
}
`}}var lG,uG,fG,pr=P(()=>{He();Wt();ni();Gl();Pa();lG="GPGPU Operation Counts",uG="Transform Runs",fG=new jo});var hG,Sh,d_=P(()=>{Wt();l_();wh();pr();Pa();hG=`TYPE arithmetic_add(TYPE x, TYPE y) {
  return x + y;
}

TYPE arithmetic_subtract(TYPE x, TYPE y) {
  return x - y;
}

TYPE arithmetic_multiply(TYPE x, TYPE y) {
  return x * y;
}

TYPE arithmetic_divide(TYPE x, TYPE y) {
  return x / y;
}

float arithmetic_tan(float x) {
  return tan_fp32(x);
}
`,Sh=({inputs:r,output:e,target:t})=>{let n=e.type,i=Tt(n,1,e.normalized),s=Di(i),o=r.namedInputs;return Pt({module:{name:"arithmetic",dependencies:[As],vs:hG},inputs:o,output:e,operationType:n,outputBuffer:t,expression:a=>vh(r.expression,{operations:Sa,inputs:o,laneIndex:a,formatInput:c=>`${c}[${a}]`,formatOutOfBoundsInput:c=>o[c].size===1?`${c}[0]`:s,formatLiteral:c=>{let l=Array.isArray(c)?c[a]??0:c;return`${i}(${O3(n,l)})`},formatCall:(c,l)=>`${c}(${l.join(", ")})`})}),{success:!0}}});var pG,mG,U3,F3,z3=P(()=>{J();He();ni();Gl();d_();pr();pG="GPGPU Operation Counts",mG="Transform Runs",U3=({inputs:r,output:e,target:t})=>{let{sourceValues:n}=r,i=t.device;if(n.length===0){let f=new e.ValueType(e.length*e.size);return t.write(f),{success:!0,value:f}}if(n.isConstant){let f=n.value,d=new e.ValueType(e.length*e.size);for(let h=0;h<e.length;h++){let p=f[h];d[h*2]=p,d[h*2+1]=p}return t.write(d),{success:!0,value:d}}let s=i.createTexture({width:1,height:e.length,format:"rg32float",usage:de.RENDER|de.COPY_SRC|de.COPY_DST}),o=i.createFramebuffer({colorAttachments:[s]}),a=`#version 300 es

flat out float extent_value;

void main() {
  float sourceValues[SOURCE_VALUES_LEN];
  get_sourceValues(sourceValues);
  extent_value = sourceValues[gl_VertexID];

  float y = (float(gl_VertexID) + 0.5) / float(CHANNEL_COUNT) * 2.0 - 1.0;
  gl_Position = vec4(0.0, y, 0.0, 1.0);
  gl_PointSize = 1.0;
}
  `,c=`#version 300 es

precision highp float;

flat in float extent_value;
out vec2 fragColor;

void main() {
  fragColor = vec2(-extent_value, extent_value);
}
  `,l=new jt(i,{vs:a,fs:c,topology:"point-list",parameters:{depthCompare:"always",blend:!0,blendColorSrcFactor:"one",blendColorDstFactor:"one",blendColorOperation:"max",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one",blendAlphaOperation:"max"},modules:[u_("sourceValues",n.type,n.size,n.normalized)],defines:{TYPE:"float",SOURCE_VALUES_LEN:n.size.toString(),CHANNEL_COUNT:e.length.toString()},attributes:{sourceValues:n.buffer},bufferLayout:[f_("sourceValues",n)],instanceCount:n.length,vertexCount:e.length,disableWarnings:!0}),u=zt.createOrReuse(i,e.byteLength);try{let f=i.beginRenderPass({framebuffer:o,parameters:{viewport:[0,0,1,e.length]},clearColor:[-F3,-F3,0,0],clearDepth:!1,clearStencil:!1});i.statsManager.getStats(pG).get(mG).incrementCount(),l.draw(f),f.end();let d=i.createCommandEncoder();return d.copyTextureToBuffer({sourceTexture:s,width:1,height:e.length,destinationBuffer:u,byteOffset:0,bytesPerRow:8}),i.submit(d.finish()),Sh({device:i,inputs:{expression:{kind:"call",op:"multiply",args:[{kind:"input",name:"x"},{kind:"literal",value:[-1,1]}]},namedInputs:{x:new xe({buffer:u,size:2,type:"float32",length:e.length})}},output:e,target:t})}finally{l.destroy(),zt.recycle(u),o.destroy(),s.destroy()}},F3=3e38});function gG(r,e){let t=e.reduce((n,[,i])=>n+Math.ceil(i.size/4),0);if(t>r)throw new Error(`interleave() requires ${t} vertex attributes, exceeding device limit ${r}`)}function bG(r,e){if(e.size>r)throw new Error(`interleave() output size ${e.size} exceeds device inter-stage component limit ${r}`)}var G3,$3=P(()=>{pr();G3=({inputs:r,output:e,target:t})=>{let n=r.map((c,l)=>[`x${l}`,c]);gG(t.device.limits.maxVertexAttributes,n),bG(t.device.limits.maxInterStageShaderVariables,e);let i=n.map(([c,l])=>`in TYPE ${c}[${l.size}]`).join(", "),s=0,o=n.map(([c,l])=>{let u=Array.from({length:l.size},(f,d)=>`  result[${s+d}] = ${c}[${d}];`).join(`
`);return s+=l.size,u}).join(`
`),a=`void interleave(${i}, out TYPE result[RESULT_LEN]) {
${o}
}
`;return Pt({module:{name:"interleave",vs:a},inputs:r,output:e,outputBuffer:t}),{success:!0}}});function yG(){let r=new Uint16Array([255]);return new Uint8Array(r.buffer)[0]>0}var _G,V3,W3=P(()=>{pr();_G=`#define LE ${yG()?1:0}
const uint F32_NAN = 0xffffffffu;
const uint F32_INF = 0x7f800000u;

// Find first set bit using binary search
// https://en.wikipedia.org/wiki/Find_first_set#CLZ
int countLeadingZeros(uint a) {
  if (a == 0u) return 32;
  int n = 0;
  if ((a & 0xffff0000u) == 0u) { n += 16; a = a << 16; }
  if ((a & 0xff000000u) == 0u) { n += 8;  a = a << 8;  }
  if ((a & 0xf0000000u) == 0u) { n += 4;  a = a << 4;  }
  if ((a & 0xc0000000u) == 0u) { n += 2;  a = a << 2;  }
  if ((a & 0x80000000u) == 0u) return n + 1;
  return n;
}

uint roundShiftRight(uint value, int shift) {
  if (shift <= 0) {
    return value << (-shift);
  }

  if (shift >= 32) {
    if (shift == 32 && value > 0x80000000u) {
      return 1u;
    }
    return 0u;
  }

  uint truncated = value >> shift;
  uint halfShift = 1u << (shift - 1);
  uint remainder = value & ((1u << shift) - 1u);
  if (remainder > halfShift || (remainder == halfShift && (truncated & 1u) == 1u)) {
    return truncated + 1u;
  }
  return truncated;
}

uint makeFloat_(uint sign, int exponent, uint mantissa) {
  return (sign << 31) | (uint(exponent + 127) << 23) | (mantissa & 0x7fffffu);
}

/**
 * Assemble a float32 in bit representation according to IEEE 754
 * https://en.wikipedia.org/wiki/Single-precision_floating-point_format
 */
uint makeFloat(uint sign, int exponent, uint significand) {
  if (significand == 0u) {
    return sign << 31;
  }

  // Remove any extra leading zeros for better precision
  int lead_zeros = countLeadingZeros(significand);
  // Significand is encoded as 1.fraction
  int normalizedExponent = exponent + 31 - lead_zeros;

  if (normalizedExponent > 127) {
    return (sign << 31) | F32_INF;
  }

  uint mantissa;
  if (normalizedExponent >= -126) {
    mantissa = roundShiftRight(significand, 8 - lead_zeros);
    if (mantissa >= 0x1000000u) {
      mantissa >>= 1;
      normalizedExponent++;
      if (normalizedExponent > 127) {
        return (sign << 31) | F32_INF;
      }
    }
    return makeFloat_(sign, normalizedExponent, mantissa);
  }

  int subnormalShift = -149 - exponent;
  mantissa = roundShiftRight(significand, subnormalShift);
  if (mantissa >= 0x800000u) {
    return (sign << 31) | (1u << 23);
  }
  return (sign << 31) | mantissa;
}

/**
 * Parse 8-byte memory as a float64 number according to IEEE 754
 * https://en.wikipedia.org/wiki/Double-precision_floating-point_format
 * Returns 8-byte memory as 2 float32 numbers, consisting of
 * high part: fround(d)
 * low part: d - fround(d)
 */
uvec2 parseAsDouble(uvec2 d) {
  #if LE
  d = d.yx; // to big endian
  #endif

  uint sign = (d[0] >> 31) & 1u; // first bit
  uint exponentBits = (d[0] >> 20) & 0x7ffu;
  int exponent = int(exponentBits) - 1023; // next 11 bits
  uint fractionHigh = d[0] & 0xfffffu;
  uint fractionLow = d[1];

  if (exponentBits == 0x7ffu) {
    if (fractionHigh == 0u && fractionLow == 0u) {
      return uvec2((sign << 31) | F32_INF, F32_NAN);
    }
    return uvec2(F32_NAN);
  }
  
  if (exponentBits == 0u) {
    // All float64 subnormals are too small to survive a float32 split.
    return uvec2(sign << 31);
  }

  if (exponent > 127) {
    return uvec2((sign << 31) | F32_INF, ((1u - sign) << 31) | F32_INF);
  }

  uint hi_part;
  uint low_part;

  // float64 significand has 52 bits
  // float32 significand has 23 bits
  // The significand of the high part is the significand of the double, trimmed
  uint f_hi = 0x800000u | (fractionHigh << 3) | (fractionLow >> 29);
  uint f_low = fractionLow & 0x1fffffffu;

  if (exponent < -126) {
    // For tiny normals, the top 24 significand bits still contribute to the float32
    // high part, but they land in the float32 subnormal range.
    hi_part = makeFloat(sign, exponent - 23, f_hi);

    // The residual keeps the remaining 29 significand bits at the original double scale.
    low_part = makeFloat(sign, exponent - 52, f_low);
    return uvec2(hi_part, low_part);
  }

  bool roundUp = f_low > 0x10000000u || (f_low == 0x10000000u && (f_hi & 1u) == 1u);

  uint f_rounded = f_hi + (roundUp ? 1u : 0u);
  int exponent_hi = exponent;
  if (f_rounded == 0x1000000u) {
    f_rounded = 0x800000u;
    exponent_hi++;
  }

  if (exponent_hi > 127) {
    // Overflows float32 limit
    hi_part = (sign << 31) | F32_INF;
    low_part = ((1u - sign) << 31) | F32_INF;
    return uvec2(hi_part, low_part);
  }
  
  hi_part = makeFloat_(sign, exponent_hi, f_rounded);

  int remainder = int(f_low);
  uint sign_low = sign;
  if (roundUp) {
    remainder -= 0x20000000;
  }
  if (remainder < 0) {
    sign_low = 1u - sign;
    remainder = -remainder;
  }
  low_part = makeFloat(sign_low, exponent - 52, uint(remainder));

  return uvec2(hi_part, low_part);
}

void fround(in uint x[X_LEN], out float result[X_LEN]) {
  int n = X_LEN / 2;
  for (int i = 0; i < n; i++) {
    uvec2 f = parseAsDouble(uvec2(x[i * 2], x[i * 2 + 1]));
    result[i] = uintBitsToFloat(f.x);
    result[i + n] = uintBitsToFloat(f.y);
  }
}
`,V3=({inputs:r,output:e,target:t})=>(Pt({module:{name:"fround",vs:_G},inputs:r,output:e,operationType:"uint32",outputBuffer:t}),{success:!0})});function Th(r,e,t){let n=N3(t),i=Tt(e,1),s=Array.from({length:r.size},(o,a)=>`  v[${a}] = ${i}(texelFetch(source_values_texture, ivec2(${a}, rowIndex), 0).r);`).join(`
`);return{name:"source_values_texture",vs:`
uniform highp ${n} source_values_texture;
void read_source_values(int rowIndex, out TYPE v[${r.size}]) {
${s}
}
`}}function Ph(r,e,t){let n=t.createTexture({width:Math.max(r.size,1),height:r.length,format:D3(e),usage:de.SAMPLE|de.COPY_DST});if(r.length===0)return n;let i=t.createCommandEncoder();return i.copyBufferToTexture({sourceBuffer:r.buffer,destinationTexture:n,byteOffset:r.offset,bytesPerRow:r.stride,rowsPerImage:r.length,size:[r.size,r.length,1]}),t.submit(i.finish()),n}var h_=P(()=>{J();Pa()});function xG(r,e){let t=Tt(r.type,1),n="aids_0";return r.type!==EG(e)&&(n=`${e}(${n})`),{name:"ids",vs:`
in ${t} aids_0;
void get_ids(out INDEX_TYPE v[1]) {
  v[0] = ${n};
}
`}}function wG(r){return{name:"ids",stepMode:r.isConstant?"vertex":"instance",byteStride:r.stride,attributes:[{attribute:"aids_0",format:Eh(r.type,1,r.normalized),byteOffset:r.offset}]}}function vG(r){return{name:"gather",vs:`
void zero_result(out TYPE result[RESULT_LEN]) {
  for (int i = 0; i < RESULT_LEN; i++) {
    result[i] = ${Di(r)};
  }
}

void gather(in INDEX_TYPE ids[1], out TYPE result[RESULT_LEN]) {
  int sourceIndex = int(ids[0]);
  if (sourceIndex < 0 || sourceIndex >= SOURCE_VALUES_ROWS) {
    zero_result(result);
    return;
  }
  read_source_values(sourceIndex, result);
}
`}}function EG(r){switch(r){case"uint":return"uint32";case"int":return"sint32";default:return"float32"}}var j3,H3=P(()=>{He();Pa();pr();h_();j3=async({inputs:r,output:e,target:t})=>{let{ids:n,sourceValues:i}=r,s=t.device,o=js("result",e.type,e.size),a=Tt(n.type,1),c=Tt(e.type,1),l=e.type,u=Ph(i,l,s),f=`#version 300 es

void main() {
  INDEX_TYPE ids[1];
  get_ids(ids);
  TYPE result[${e.size}];
  gather(ids, result);
  set_result(result);
}
  `,d=new St(s,{vs:f,defines:{INDEX_TYPE:a,TYPE:c,RESULT_LEN:e.size.toString(),SOURCE_VALUES_ROWS:i.length.toString()},modules:[xG(n,a),Th(i,e.type,l),vG(e.type),o],bindings:{source_values_texture:u},bufferLayout:[wG(n)],vertexCount:1,instanceCount:e.length,feedbackBufferMode:"interleaved",outputs:o.varyings});try{return d.run({inputBuffers:{ids:n.buffer},outputBuffers:{[o.varyings[0]]:t}}),{success:!0}}finally{d.destroy(),u.destroy()}}});var SG,Y3,q3=P(()=>{pr();SG=`void row_dot(in TYPE x[X_LEN], in TYPE y[Y_LEN], out float result[1]) {
  float sum = 0.0;
  for (int i = 0; i < X_LEN; i++) {
    sum += float(x[i]) * float(y[i]);
  }
  result[0] = sum;
}
`,Y3=({inputs:r,output:e,target:t})=>(Pt({module:{name:"row_dot",vs:SG},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});var TG,X3,Z3=P(()=>{pr();TG=`void equalAll(in TYPE x[X_LEN], in TYPE y[Y_LEN], out uint result[1]) {
  uint allEqual = uint(1);
  for (int i = 0; i < X_LEN; i++) {
    if (x[i] != y[i]) {
      allEqual = uint(0);
      break;
    }
  }
  result[0] = allEqual;
}
`,X3=({inputs:r,output:e,target:t})=>(Pt({module:{name:"equalAll",vs:TG},inputs:r,output:e,operationType:e.type==="uint32"?r.x.type:e.type,outputBuffer:t}),{success:!0})});var PG,K3,Q3=P(()=>{pr();PG=`void row_length(in TYPE x[X_LEN], out float result[1]) {
  float sum = 0.0;
  for (int i = 0; i < X_LEN; i++) {
    sum += float(x[i]) * float(x[i]);
  }
  result[0] = sqrt(sum);
}
`,K3=({inputs:r,output:e,target:t})=>(Pt({module:{name:"row_length",vs:PG},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});function AG(){return{name:"segmentedMap",vs:`
uint read_segment_start(int segmentIndex) {
  TYPE value[1];
  read_source_values(segmentIndex, value);
  return uint(value[0]);
}

void segmentedMap(out TYPE result[RESULT_LEN]) {
  uint vertexIndex = uint(gl_InstanceID);
  int low = 0;
  int high = SEGMENTS_LENGTH;

  while (low < high) {
    int mid = low + (high - low) / 2;
    uint midStart = read_segment_start(mid);
    if (midStart <= vertexIndex) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }

  uint segmentIndex = uint(max(low - 1, 0));
  uint segmentStart = read_segment_start(int(segmentIndex));
  result[0] = segmentIndex;
  result[1] = vertexIndex - segmentStart;
}
`}}var J3,eA=P(()=>{He();h_();pr();J3=async({inputs:r,output:e,target:t})=>{let{segments:n}=r,i=t.device,s=js("result",e.type,e.size),o=n.type,a=Ph(n,o,i),c=new St(i,{vs:`#version 300 es

void main() {
  TYPE result[RESULT_LEN];
  segmentedMap(result);
  set_result(result);
}
`,defines:{TYPE:"uint",RESULT_LEN:e.size.toString(),SEGMENTS_LENGTH:n.length.toString()},modules:[Th(n,e.type,o),AG(),s],bindings:{source_values_texture:a},vertexCount:1,instanceCount:e.length,feedbackBufferMode:"interleaved",outputs:s.varyings});try{return c.run({outputBuffers:{[s.varyings[0]]:t}}),{success:!0}}finally{c.destroy(),a.destroy()}}});function p_(r,e,t,n){return t<e.size?`${r}[${t}]`:e.size===1?`${r}[0]`:n}var tA,rA=P(()=>{pr();Pa();tA=async({inputs:r,output:e,target:t})=>{let n=Tt(e.type,1,e.normalized),i=Di(n);return Pt({module:{name:"select",vs:""},inputs:r,output:e,operationType:e.type,outputBuffer:t,expression:s=>{let o=p_("condition",r.condition,s,i),a=p_("whenTrue",r.whenTrue,s,i),c=p_("whenFalse",r.whenFalse,s,i);return`(${o} != ${i} ? ${a} : ${c})`}}),{success:!0}}});var nA,iA=P(()=>{He();pr();nA=({inputs:r,output:e,target:t})=>{let n=js("result",e.type,e.size),i=new St(t.device,{vs:`#version 300 es

void main() {
  int result[1];
  result[0] = START + gl_InstanceID * STEP;
  set_result(result);
}
`,defines:{START:r.start.toString(),STEP:r.step.toString()},modules:[n],vertexCount:1,instanceCount:e.length,feedbackBufferMode:"interleaved",outputs:n.varyings});try{return i.run({outputBuffers:{[n.varyings[0]]:t}}),{success:!0}}finally{i.destroy()}}});var sA,oA=P(()=>{pr();sA=({inputs:r,output:e,target:t})=>{let{columns:n}=r;return Pt({module:{name:"swizzle",vs:"// swizzle expression handled inline"},expression:i=>`x[${n[i]}]`,inputs:{x:r.x},output:e,outputBuffer:t}),{success:!0}}});var aA={};zn(aA,{arithmetic:()=>Sh,dot:()=>Y3,equalAll:()=>X3,extent:()=>U3,fround:()=>V3,gather:()=>j3,interleave:()=>G3,length:()=>K3,segmentedMap:()=>J3,select:()=>tA,sequence:()=>nA,swizzle:()=>sA});var cA=P(()=>{d_();z3();$3();W3();H3();q3();Z3();Q3();eA();rA();iA();oA()});function Dn(r,e){let t=LG(e),n=Math.max(1,Math.ceil(r)),i=Math.min(n,t),s=Math.min(Math.ceil(n/i),t),o=Math.ceil(n/i/s);if(o>t)throw new Error(`WebGPU dispatch requires ${n} workgroups, exceeding the 3D dispatch limit of ${t} per dimension`);return{x:i,y:s,z:o}}function m_(r,e="workgroupId"){return`((${e}.z * ${r.y}u + ${e}.y) * ${r.x}u + ${e}.x)`}function Ni(r,e,t="workgroupId",n="localId"){return`(${m_(r,t)} * ${e}u + ${n}.x)`}function LG(r){return Number.isFinite(r)&&r>0?Math.floor(r):65535}var Aa=P(()=>{});function Fi(r,e){switch(r){case"u32":return`${e}u`;case"f32":return Number.isInteger(e)?`${e}.0`:`${e}`;default:return`${e}`}}function lA(r,e){switch(r){case"uint32":return Fi("u32",Math.trunc(e));case"sint32":return`${Math.trunc(e)}`;case"float32":return Fi("f32",e);default:throw new Error(`WebGPU operations only support 32-bit output types, got ${r}`)}}function Ui(r){switch(r){case"uint32":return"0u";case"sint32":return"0";case"float32":return"0.0";default:throw new Error(`WebGPU operations only support 32-bit output types, got ${r}`)}}function Ce(r){switch(r){case"uint32":return"u32";case"sint32":return"i32";case"float32":return"f32";default:throw new Error(`WebGPU operations only support 32-bit storage types, got ${r}`)}}var Hs=P(()=>{});function At({module:r,elementWise:e=!1,expression:t,inputs:n,output:i,operationType:s=i.type,outputBuffer:o}){if(!r.source)throw new Error(`WebGPU computation ${r.name} requires WGSL source`);let a=NG(n),c=a.map(([_,x])=>({name:_,input:x})),l=c.filter(({input:_})=>!_.isConstant).map((_,x)=>({..._,index:x})),u=Ce(s),f=Ce(i.type),d={TYPE:u,RESULT_LEN:i.size.toString()},h=Dn(Math.ceil(i.length/g_),o.device.limits.maxComputeWorkgroupsPerDimension);for(let[_,x]of a)d[`${_.toUpperCase()}_LEN`]=x.size.toString();let p=`
${UG(r.source,d)}
${l.map(({name:_,input:x,index:E})=>IG(_,x,E)).join(`
`)}
${c.map(({name:_,input:x})=>BG(_,x,s)).join(`
`)}
${kG(i,l.length)}
${OG(i)}

@compute @workgroup_size(${g_}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Ni(h,g_)};
  if (rowIndex >= ${i.length}u) {
    return;
  }

${c.map(({name:_})=>`  let ${_} = read_${_}(rowIndex);`).join(`
`)}
  var result: array<${f}, ${i.size}>;
${DG(r.name,a,i,e,t)}
  write_result(rowIndex, result);
}
`,m=new dr(o.device,{source:p,modules:r.dependencies,shaderAssembler:RG,shaderLayout:{bindings:[...l.map(({name:_},x)=>({name:_,type:"storage",group:0,location:x})),{name:"result",type:"storage",group:0,location:l.length}]}}),b=Object.fromEntries(l.map(({name:_,input:x})=>[_,x.buffer]));b.result=o,m.setBindings(b);let w=o.device.beginComputePass({});o.device.statsManager.getStats(MG).get(CG).incrementCount(),m.dispatch(w,h.x,h.y,h.z),w.end(),o.device.submit(),m.destroy()}function IG(r,e,t){if(e.isConstant)return"";let n=Ce(e.type);return`@group(0) @binding(${t}) var<storage, read> ${r}: array<${n}>;`}function BG(r,e,t){let n=Ce(t),i=e.type===t?"":n,s=e.stride/e.ValueType.BYTES_PER_ELEMENT,o=e.offset/e.ValueType.BYTES_PER_ELEMENT;return e.isConstant?`fn read_${r}(_rowIndex: u32) -> array<${n}, ${e.size}> {
  return array<${n}, ${e.size}>(${FG(e,i)});
}`:`fn read_${r}(rowIndex: u32) -> array<${n}, ${e.size}> {
  var value: array<${n}, ${e.size}>;
  let rowOffset = ${o}u + rowIndex * ${s}u;
${Array.from({length:e.size},(a,c)=>i?`  value[${c}] = ${i}(${r}[rowOffset + ${c}u]);`:`  value[${c}] = ${r}[rowOffset + ${c}u];`).join(`
`)}
  return value;
}`}function kG(r,e){let t=Ce(r.type);return`@group(0) @binding(${e}) var<storage, read_write> result: array<${t}>;`}function OG(r){let e=r.stride/r.ValueType.BYTES_PER_ELEMENT,t=r.offset/r.ValueType.BYTES_PER_ELEMENT;return`fn write_result(rowIndex: u32, value: array<${Ce(r.type)}, ${r.size}>) {
  let rowOffset = ${t}u + rowIndex * ${e}u;
${Array.from({length:r.size},(i,s)=>`  result[rowOffset + ${s}u] = value[${s}];`).join(`
`)}
}`}function DG(r,e,t,n,i){let s="";if(i)for(let o=0;o<t.size;o++)s+=`  result[${o}] = ${i(o)};
`;else if(n){let o=Ui(t.type),a=Ce(t.type);for(let c=0;c<t.size;c++){let l=e.map(([u,f])=>c<f.size?Ce(f.type)===a?`${u}[${c}]`:`${a}(${u}[${c}])`:o);s+=`  result[${c}] = ${r}(${l.join(", ")});
`}}else s+=`result = ${r}(${e.map(([o])=>o).join(", ")});`;return s.trimEnd()}function NG(r){return Array.isArray(r)?r.map((e,t)=>[`x${t}`,e]):Object.entries(r)}function FG(r,e){let t=r.value;if(!t)throw new Error(`Constant input ${r} is missing CPU values`);return Array.from({length:r.size},(n,i)=>Fi(e,t[i]??0)).join(", ")}function UG(r,e){for(let t in e)r=r.replaceAll(`{${t}}`,e[t]);return r}var g_,MG,CG,RG,ii=P(()=>{He();Wt();Aa();Hs();g_=64,MG="GPGPU Operation Counts",CG="Computation Runs",RG=new Si});var zG,uA,fA=P(()=>{Wt();l_();wh();ii();Hs();zG=`fn arithmetic_add(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x + y;
}

fn arithmetic_subtract(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x - y;
}

fn arithmetic_multiply(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x * y;
}

fn arithmetic_divide(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x / y;
}

fn arithmetic_tan(x: f32) -> f32 {
  return tan_fp32(x);
}
`,uA=({inputs:r,output:e,target:t})=>{let n=e.type,i=Ce(n),s=Ui(n),o=r.namedInputs;return At({module:{name:"arithmetic",source:zG,dependencies:[As]},inputs:o,output:e,operationType:n,outputBuffer:t,expression:a=>vh(r.expression,{operations:Sa,inputs:o,laneIndex:a,formatInput:c=>`${c}[${a}]`,formatOutOfBoundsInput:c=>o[c].size===1?`${c}[0]`:s,formatLiteral:c=>{let l=Array.isArray(c)?c[a]??0:c;return`${i}(${lA(n,l)})`},formatCall:(c,l)=>`${c}(${l.join(", ")})`})}),{success:!0}}});var GG,dA,hA=P(()=>{ii();GG=`fn row_dot(x: array<{TYPE}, {X_LEN}>, y: array<{TYPE}, {Y_LEN}>) -> array<f32, 1> {
  var sum = 0.0;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    sum += f32(x[i]) * f32(y[i]);
  }
  return array<f32, 1>(sum);
}
`,dA=({inputs:r,output:e,target:t})=>(At({module:{name:"row_dot",source:GG},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});var $G,pA,mA=P(()=>{ii();$G=`fn equalAll(x: array<{TYPE}, {X_LEN}>, y: array<{TYPE}, {Y_LEN}>) -> array<u32, 1> {
  var allEqual = 1u;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    if (x[i] != y[i]) {
      allEqual = 0u;
      break;
    }
  }
  return array<u32, 1>(allEqual);
}
`,pA=({inputs:r,output:e,target:t})=>(At({module:{name:"equalAll",source:$G},inputs:r,output:e,operationType:r.x.type,outputBuffer:t}),{success:!0})});function La(r,e,t){let n=Ce(e.type);return`@group(0) @binding(${t}) var<storage, read> ${r}: array<${n}>;`}function b_(r,e,t,n=r){let i=Ce(t);if(e.isConstant){let l=e.value;if(!l)throw new Error(`Constant input ${e} is missing CPU values`);return`fn read_${n}(_sourceIndex: u32) -> array<${i}, ${e.size}> {
  return array<${i}, ${e.size}>(${Array.from({length:e.size},(u,f)=>Fi(i,l[f]??0)).join(", ")});
}`}let s=e.stride/e.ValueType.BYTES_PER_ELEMENT,o=e.offset/e.ValueType.BYTES_PER_ELEMENT,c=Ce(e.type)===i?"":`${i}`;return`fn read_${n}(sourceIndex: u32) -> array<${i}, ${e.size}> {
  var value: array<${i}, ${e.size}>;
  let rowOffset = ${o}u + sourceIndex * ${s}u;
${Array.from({length:e.size},(l,u)=>c?`  value[${u}] = ${c}(${r}[rowOffset + ${u}u]);`:`  value[${u}] = ${r}[rowOffset + ${u}u];`).join(`
`)}
  return value;
}`}function Ah(r,e){return b_("sourceValues",r,e,"source_values")}function Ma(r,e){let t=Ce(r.type);return`@group(0) @binding(${e}) var<storage, read_write> result: array<${t}>;`}function Ca(r){let e=r.stride/r.ValueType.BYTES_PER_ELEMENT,t=r.offset/r.ValueType.BYTES_PER_ELEMENT;return`fn write_result(rowIndex: u32, value: array<${Ce(r.type)}, ${r.size}>) {
  let rowOffset = ${t}u + rowIndex * ${e}u;
${Array.from({length:r.size},(i,s)=>`  result[rowOffset + ${s}u] = value[${s}];`).join(`
`)}
}`}function gA(r,e){let t=Ui(r);return`fn zero_result() -> array<${Ce(r)}, ${e}> {
  var result: array<${Ce(r)}, ${e}>;
${Array.from({length:e},(n,i)=>`  result[${i}] = ${t};`).join(`
`)}
  return result;
}`}var Gt,Lh=P(()=>{Hs();Gt=64});function VG({input:r,inputMode:e,inputGroupCount:t,channelCount:n,outputType:i,outputBuffer:s,outputLength:o,outputStride:a,outputOffset:c}){let l=Ce(i),u=Dn(o,s.device.limits.maxComputeWorkgroupsPerDimension),f=new xe({buffer:s,type:i,size:2,length:o,stride:a,offset:c}),d=`
${r.isConstant?"":La("sourceValues",r,0)}
${Ah(r,i)}
${Ma(f,r.isConstant?0:1)}
${Ca(f)}
${WG(e,i,n,t)}

var<workgroup> sharedMin: array<${l}, ${Gt}>;
var<workgroup> sharedMax: array<${l}, ${Gt}>;

@compute @workgroup_size(${Gt}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let outputRowIndex = ${m_(u)};
  if (outputRowIndex >= ${o}u) {
    return;
  }

  let channelIndex = outputRowIndex % ${n}u;
  let outputGroupIndex = outputRowIndex / ${n}u;
  let inputGroupIndex = outputGroupIndex * ${Gt}u + localId.x;

  let result = extent_pass(channelIndex, inputGroupIndex);
  sharedMin[localId.x] = result[0];
  sharedMax[localId.x] = result[1];
  workgroupBarrier();

  var stride = ${Math.floor(Gt/2)}u;
  loop {
    if (stride == 0u) {
      break;
    }
    if (localId.x < stride) {
      let compareIndex = localId.x + stride;
      if (sharedMin[compareIndex] < sharedMin[localId.x]) {
        sharedMin[localId.x] = sharedMin[compareIndex];
      }
      if (sharedMax[compareIndex] > sharedMax[localId.x]) {
        sharedMax[localId.x] = sharedMax[compareIndex];
      }
    }
    workgroupBarrier();
    stride = stride / 2u;
  }

  if (localId.x == 0u) {
    write_result(outputRowIndex, array<${l}, 2>(sharedMin[0], sharedMax[0]));
  }
}
`,h=new dr(s.device,{source:d,shaderLayout:{bindings:[...r.isConstant?[]:[{name:"sourceValues",type:"storage",group:0,location:0}],{name:"result",type:"storage",group:0,location:r.isConstant?0:1}]}}),p={result:s};r.isConstant||(p.sourceValues=r.buffer),h.setBindings(p);let m=s.device.beginComputePass({});h.dispatch(m,u.x,u.y,u.z),m.end(),s.device.submit(),h.destroy()}function WG(r,e,t,n){let i=Ce(e),[s,o]=jG(e);return r==="raw"?`fn extent_pass(channelIndex: u32, inputGroupIndex: u32) -> array<${i}, 2> {
  var result: array<${i}, 2>;
  result[0] = ${s};
  result[1] = ${o};

  if (inputGroupIndex < ${n}u) {
    let value = read_source_values(inputGroupIndex);
    result[0] = value[channelIndex];
    result[1] = value[channelIndex];
  }

  return result;
}`:`fn extent_pass(channelIndex: u32, inputGroupIndex: u32) -> array<${i}, 2> {
  var result: array<${i}, 2>;
  result[0] = ${s};
  result[1] = ${o};

  if (inputGroupIndex < ${n}u) {
    let rowIndex = inputGroupIndex * ${t}u + channelIndex;
    let value = read_source_values(rowIndex);
    result[0] = value[0];
    result[1] = value[1];
  }

  return result;
}`}function jG(r){switch(r){case"uint32":return["0xffffffffu","0u"];case"sint32":return["2147483647","-2147483648"];case"float32":return["3.402823e38","-3.402823e38"];default:throw new Error(`Unsupported WebGPU extent type for ${r}`)}}var bA,yA=P(()=>{He();ni();Gl();Aa();Hs();Lh();bA=({inputs:r,output:e,target:t})=>{let{sourceValues:n}=r;if(n.length===0){let c=new e.ValueType(e.length*e.size);return t.write(c),{success:!0,value:c}}if(n.isConstant){let c=n.value;if(!c)throw new Error(`Constant input ${n} is missing CPU values`);let l=new e.ValueType(e.length*e.size);for(let u=0;u<e.length;u++){let f=c[u];l[u*2]=f,l[u*2+1]=f}return t.write(l),{success:!0,value:l}}let i=[],s=n,o="raw",a=n.length;try{for(;;){let c=Math.ceil(a/Gt),l=e.length*c,u=c===1?t:zt.createOrReuse(t.device,l*e.stride);if(c>1&&i.push(u),VG({input:s,inputMode:o,inputGroupCount:a,channelCount:e.length,outputType:e.type,outputBuffer:u,outputLength:l,outputStride:e.stride,outputOffset:e.offset}),c===1)break;s=new xe({buffer:u,type:e.type,size:2,length:l}),o="partial",a=c}return{success:!0}}finally{for(let c of i)zt.recycle(c)}}});function HG(){let r=new Uint16Array([255]);return new Uint8Array(r.buffer)[0]>0}var YG,_A,xA=P(()=>{ii();YG=`const LE: bool = ${HG()?"true":"false"};
const F32_NAN: u32 = 0xffffffffu;
const F32_INF: u32 = 0x7f800000u;

fn roundShiftRight(value: u32, shift: i32) -> u32 {
  if (shift <= 0) {
    return value << u32(-shift);
  }

  if (shift >= 32) {
    if (shift == 32 && value > 0x80000000u) {
      return 1u;
    }
    return 0u;
  }

  let shiftU32 = u32(shift);
  let truncated = value >> shiftU32;
  let halfShift = 1u << u32(shift - 1);
  let remainder = value & ((1u << shiftU32) - 1u);
  if (remainder > halfShift || (remainder == halfShift && (truncated & 1u) == 1u)) {
    return truncated + 1u;
  }
  return truncated;
}

fn makeFloatImmediate(sign: u32, exponent: i32, mantissa: u32) -> u32 {
  return (sign << 31u) | (u32(exponent + 127) << 23u) | (mantissa & 0x7fffffu);
}

fn makeFloat(sign: u32, exponent: i32, significand: u32) -> u32 {
  if (significand == 0u) {
    return sign << 31u;
  }

  let leadingZeros = i32(countLeadingZeros(significand));
  var normalizedExponent = exponent + 31 - leadingZeros;

  if (normalizedExponent > 127) {
    return (sign << 31u) | F32_INF;
  }

  var mantissa: u32;
  if (normalizedExponent >= -126) {
    mantissa = roundShiftRight(significand, 8 - leadingZeros);
    if (mantissa >= 0x1000000u) {
      mantissa = mantissa >> 1u;
      normalizedExponent += 1;
      if (normalizedExponent > 127) {
        return (sign << 31u) | F32_INF;
      }
    }
    return makeFloatImmediate(sign, normalizedExponent, mantissa);
  }

  let subnormalShift = -149 - exponent;
  mantissa = roundShiftRight(significand, subnormalShift);
  if (mantissa >= 0x800000u) {
    return (sign << 31u) | (1u << 23u);
  }
  return (sign << 31u) | mantissa;
}

fn parseAsDouble(words: vec2<u32>) -> vec2<u32> {
  var d = words;
  if (LE) {
    d = d.yx;
  }

  let sign = (d.x >> 31u) & 1u;
  let exponentBits = (d.x >> 20u) & 0x7ffu;
  let exponent = i32(exponentBits) - 1023;
  let fractionHigh = d.x & 0xfffffu;
  let fractionLow = d.y;

  if (exponentBits == 0x7ffu) {
    if (fractionHigh == 0u && fractionLow == 0u) {
      return vec2<u32>((sign << 31u) | F32_INF, F32_NAN);
    }
    return vec2<u32>(F32_NAN);
  }

  if (exponentBits == 0u) {
    return vec2<u32>(sign << 31u);
  }

  if (exponent > 127) {
    return vec2<u32>((sign << 31u) | F32_INF, ((1u - sign) << 31u) | F32_INF);
  }

  let highSignificand = 0x800000u | (fractionHigh << 3u) | (fractionLow >> 29u);
  let lowSignificand = fractionLow & 0x1fffffffu;

  if (exponent < -126) {
    let highPart = makeFloat(sign, exponent - 23, highSignificand);
    let lowPart = makeFloat(sign, exponent - 52, lowSignificand);
    return vec2<u32>(highPart, lowPart);
  }

  let roundUp = lowSignificand > 0x10000000u ||
    (lowSignificand == 0x10000000u && (highSignificand & 1u) == 1u);

  var roundedSignificand = highSignificand + select(0u, 1u, roundUp);
  var highExponent = exponent;
  if (roundedSignificand == 0x1000000u) {
    roundedSignificand = 0x800000u;
    highExponent += 1;
  }

  if (highExponent > 127) {
    return vec2<u32>((sign << 31u) | F32_INF, ((1u - sign) << 31u) | F32_INF);
  }

  let highPart = makeFloatImmediate(sign, highExponent, roundedSignificand);

  var remainder = i32(lowSignificand);
  var lowSign = sign;
  if (roundUp) {
    remainder -= 0x20000000;
  }
  if (remainder < 0) {
    lowSign = 1u - sign;
    remainder = -remainder;
  }

  let lowPart = makeFloat(lowSign, exponent - 52, u32(remainder));
  return vec2<u32>(highPart, lowPart);
}

fn fround(x: array<u32, {X_LEN}>) -> array<f32, {RESULT_LEN}> {
  var result: array<f32, {RESULT_LEN}>;
  let n = {X_LEN}u / 2u;
  for (var i = 0u; i < n; i = i + 1u) {
    let parts = parseAsDouble(vec2<u32>(x[i * 2u], x[i * 2u + 1u]));
    result[i] = bitcast<f32>(parts.x);
    result[i + n] = bitcast<f32>(parts.y);
  }
  return result;
}
`,_A=({inputs:r,output:e,target:t})=>(At({module:{name:"fround",source:YG},inputs:r,output:e,operationType:"uint32",outputBuffer:t}),{success:!0})});function qG(r,e){if(r.isConstant){let i=r.value;if(!i)throw new Error(`Constant input ${r} is missing CPU values`);return`fn read_ids(_rowIndex: u32) -> ${e} {
  return ${Fi(e,i[0]??0)};
}`}let t=r.stride/r.ValueType.BYTES_PER_ELEMENT,n=r.offset/r.ValueType.BYTES_PER_ELEMENT;return`fn read_ids(rowIndex: u32) -> ${e} {
  let rowOffset = ${n}u + rowIndex * ${t}u;
  return ids[rowOffset];
}`}function XG(r,e,t,n){let i=Ce(r),s=Ce(e);return`fn gather(idsValue: ${i}) -> array<${s}, ${t}> {
  let sourceIndex = ${i==="u32"?"i32(idsValue)":i==="i32"?"idsValue":"i32(idsValue)"};
  if (sourceIndex < 0 || sourceIndex >= ${n}) {
    return zero_result();
  }
  return read_source_values(u32(sourceIndex));
}`}var wA,vA=P(()=>{He();Aa();Hs();Lh();wA=async({inputs:r,output:e,target:t})=>{let{ids:n,sourceValues:i}=r,s=Ce(n.type),o=[];n.isConstant||o.push({name:"ids",input:n,index:o.length}),i.isConstant||o.push({name:"sourceValues",input:i,index:o.length});let a=Dn(Math.ceil(e.length/Gt),t.device.limits.maxComputeWorkgroupsPerDimension),c=`
${o.map(({name:d,input:h,index:p})=>La(d,h,p)).join(`
`)}
${qG(n,s)}
${Ah(i,e.type)}
${Ma(e,o.length)}
${Ca(e)}
${gA(e.type,e.size)}
${XG(n.type,e.type,e.size,i.length)}

@compute @workgroup_size(${Gt}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Ni(a,Gt)};
  if (rowIndex >= ${e.length}u) {
    return;
  }

  let idsValue = read_ids(rowIndex);
  let result = gather(idsValue);
  write_result(rowIndex, result);
}
`,l=new dr(t.device,{source:c,shaderLayout:{bindings:[...o.map(({name:d,index:h})=>({name:d,type:"storage",group:0,location:h})),{name:"result",type:"storage",group:0,location:o.length}]}}),u={};n.isConstant||(u.ids=n.buffer),i.isConstant||(u.sourceValues=i.buffer),u.result=t,l.setBindings(u);let f=t.device.beginComputePass({});return l.dispatch(f,a.x,a.y,a.z),f.end(),t.device.submit(),l.destroy(),{success:!0}}});function ZG(r){return`fn segmented_map(vertexIndex: u32) -> array<u32, 2> {
  var low = 0i;
  var high = ${r}i;
  while (low < high) {
    let mid = low + (high - low) / 2i;
    let midStart = read_segments(u32(mid))[0];
    if (midStart <= vertexIndex) {
      low = mid + 1i;
    } else {
      high = mid;
    }
  }

  let segmentIndex = u32(max(low - 1i, 0i));
  let segmentStart = read_segments(segmentIndex)[0];
  return array<u32, 2>(segmentIndex, vertexIndex - segmentStart);
}`}var EA,SA=P(()=>{He();Aa();Lh();EA=async({inputs:r,output:e,target:t})=>{let{segments:n}=r,i=n.isConstant?[]:[{name:"segments",input:n,index:0}],s=Dn(Math.ceil(e.length/Gt),t.device.limits.maxComputeWorkgroupsPerDimension),o=`
${i.map(({name:u,input:f,index:d})=>La(u,f,d)).join(`
`)}
${b_("segments",n,"uint32")}
${Ma(e,i.length)}
${Ca(e)}
${ZG(n.length)}

@compute @workgroup_size(${Gt}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Ni(s,Gt)};
  if (rowIndex >= ${e.length}u) {
    return;
  }

  let result = segmented_map(rowIndex);
  write_result(rowIndex, result);
}
`,a=new dr(t.device,{source:o,shaderLayout:{bindings:[...i.map(({name:u,index:f})=>({name:u,type:"storage",group:0,location:f})),{name:"result",type:"storage",group:0,location:i.length}]}}),c=Object.fromEntries(i.map(({name:u,input:f})=>[u,f.buffer]));c.result=t,a.setBindings(c);let l=t.device.beginComputePass({});return a.dispatch(l,s.x,s.y,s.z),l.end(),t.device.submit(),a.destroy(),{success:!0}}});function KG(r,e){let n=e.filter(([,i])=>!i.isConstant).length+1;if(n>r.maxStorageBuffersPerShaderStage)throw new Error(`interleave() requires ${n} storage buffers, exceeding device limit ${r.maxStorageBuffersPerShaderStage}`);if(n>r.maxBindingsPerBindGroup)throw new Error(`interleave() requires ${n} bindings, exceeding bind group limit ${r.maxBindingsPerBindGroup}`)}var Mh,TA=P(()=>{ii();Mh=({inputs:r,output:e,target:t})=>{let n=r.map((c,l)=>[`x${l}`,c]);KG(t.device.limits,n);let i=n.map(([c,l])=>`${c}: array<{TYPE}, ${l.size}>`).join(", "),s=0,o=n.map(([c,l])=>{let u=Array.from({length:l.size},(f,d)=>`  out[${s+d}] = ${c}[${d}];`).join(`
`);return s+=l.size,u}).join(`
`),a=`fn interleave(${i}) -> array<{TYPE}, {RESULT_LEN}> {
  var out: array<{TYPE}, {RESULT_LEN}>;
${o}
  return out;
}
`;return At({module:{name:"interleave",source:a},inputs:r,output:e,outputBuffer:t}),{success:!0}}});var QG,PA,AA=P(()=>{ii();QG=`fn row_length(x: array<{TYPE}, {X_LEN}>) -> array<f32, 1> {
  var sum = 0.0;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    sum += f32(x[i]) * f32(x[i]);
  }
  return array<f32, 1>(sqrt(sum));
}
`,PA=({inputs:r,output:e,target:t})=>(At({module:{name:"row_length",source:QG},inputs:r,output:e,operationType:"float32",outputBuffer:t}),{success:!0})});function y_(r,e,t,n){return t<e.size?`${r}[${t}]`:e.size===1?`${r}[0]`:n}var LA,MA=P(()=>{ii();Hs();LA=async({inputs:r,output:e,target:t})=>{let n=Ui(e.type);return At({module:{name:"select",source:`// inline expression select
`},inputs:r,output:e,operationType:e.type,outputBuffer:t,expression:i=>{let s=y_("condition",r.condition,i,n),o=y_("whenTrue",r.whenTrue,i,n);return`select(${y_("whenFalse",r.whenFalse,i,n)}, ${o}, ${s} != ${n})`}}),{success:!0}}});var __,CA,RA=P(()=>{He();Aa();__=64,CA=({inputs:r,output:e,target:t})=>{let n=Dn(Math.ceil(e.length/__),t.device.limits.maxComputeWorkgroupsPerDimension),i=`@group(0) @binding(0) var<storage, read_write> result: array<i32>;

@compute @workgroup_size(${__}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${Ni(n,__)};
  if (rowIndex >= ${e.length}u) {
    return;
  }

  let rowOffset = ${e.offset/e.ValueType.BYTES_PER_ELEMENT}u + rowIndex * ${e.stride/e.ValueType.BYTES_PER_ELEMENT}u;
  result[rowOffset] = ${r.start} + i32(rowIndex) * ${r.step};
}
`,s=new dr(t.device,{source:i,shaderLayout:{bindings:[{name:"result",type:"storage",group:0,location:0}]}});s.setBindings({result:t});let o=t.device.beginComputePass({});return s.dispatch(o,n.x,n.y,n.z),o.end(),t.device.submit(),s.destroy(),{success:!0}}});var IA,BA=P(()=>{ii();IA=({inputs:r,output:e,target:t})=>{let{columns:n}=r;return At({module:{name:"swizzle",source:"// swizzle expression handled inline"},expression:i=>`x[${n[i]}]`,inputs:{x:r.x},output:e,outputBuffer:t}),{success:!0}}});var kA={};zn(kA,{arithmetic:()=>uA,dot:()=>dA,equalAll:()=>pA,extent:()=>bA,fround:()=>_A,gather:()=>wA,interleave:()=>Mh,length:()=>PA,segmentedMap:()=>EA,select:()=>LA,sequence:()=>CA,swizzle:()=>IA});var x_=P(()=>{fA();hA();mA();yA();xA();vA();SA();TA();AA();MA();RA();BA()});var sM="uplot",oM="u-hz",aM="u-vt",cM="u-title",lM="u-wrap",uM="u-under",fM="u-over",dM="u-axis",Qi="u-off",hM="u-select",pM="u-cursor-x",mM="u-cursor-y",gM="u-cursor-pt",bM="u-legend",yM="u-live",_M="u-inline",xM="u-series",wM="u-marker",w0="u-label",vM="u-value",$a="width",Va="height";var v0="bottom",po="left",hp="right",Cp="#000",E0=Cp+"0",pp="mousemove",S0="mousedown",mp="mouseup",T0="mouseenter",P0="mouseleave",A0="dblclick",EM="resize",SM="scroll",L0="change",Su="dppxchange",Rp="--",wo=typeof window<"u",xp=wo?document:null,go=wo?window:null,TM=wo?navigator:null,ge,xu;function wp(){let r=devicePixelRatio;ge!=r&&(ge=r,xu&&Ep(L0,xu,wp),xu=matchMedia(`(min-resolution: ${ge-.001}dppx) and (max-resolution: ${ge+.001}dppx)`),Ji(L0,xu,wp),go.dispatchEvent(new CustomEvent(Su)))}function Jt(r,e){if(e!=null){let t=r.classList;!t.contains(e)&&t.add(e)}}function vp(r,e){let t=r.classList;t.contains(e)&&t.remove(e)}function ke(r,e,t){r.style[e]=t+"px"}function Gr(r,e,t,n){let i=xp.createElement(r);return e!=null&&Jt(i,e),t?.insertBefore(i,n),i}function wr(r,e){return Gr("div",r,e)}var M0=new WeakMap;function fn(r,e,t,n,i){let s="translate("+e+"px,"+t+"px)",o=M0.get(r);s!=o&&(r.style.transform=s,M0.set(r,s),e<0||t<0||e>n||t>i?Jt(r,Qi):vp(r,Qi))}var C0=new WeakMap;function R0(r,e,t){let n=e+t,i=C0.get(r);n!=i&&(C0.set(r,n),r.style.background=e,r.style.borderColor=t)}var I0=new WeakMap;function B0(r,e,t,n){let i=e+""+t,s=I0.get(r);i!=s&&(I0.set(r,i),r.style.height=t+"px",r.style.width=e+"px",r.style.marginLeft=n?-e/2+"px":0,r.style.marginTop=n?-t/2+"px":0)}var Ip={passive:!0},PM={...Ip,capture:!0};function Ji(r,e,t,n){e.addEventListener(r,t,n?PM:Ip)}function Ep(r,e,t,n){e.removeEventListener(r,t,Ip)}wo&&wp();function $r(r,e,t,n){let i;t=t||0,n=n||e.length-1;let s=n<=2147483647;for(;n-t>1;)i=s?t+n>>1:er((t+n)/2),e[i]<r?t=i:n=i;return r-e[t]<=e[n]-r?t:n}function ax(r){return(t,n,i)=>{let s=-1,o=-1;for(let a=n;a<=i;a++)if(r(t[a])){s=a;break}for(let a=i;a>=n;a--)if(r(t[a])){o=a;break}return[s,o]}}var cx=r=>r!=null,lx=r=>r!=null&&r>0,Au=ax(cx),AM=ax(lx);function LM(r,e,t,n=0,i=!1){let s=i?AM:Au,o=i?lx:cx;[e,t]=s(r,e,t);let a=r[e],c=r[e];if(e>-1)if(n==1)a=r[e],c=r[t];else if(n==-1)a=r[t],c=r[e];else for(let l=e;l<=t;l++){let u=r[l];o(u)&&(u<a?a=u:u>c&&(c=u))}return[a??Pe,c??-Pe]}function Lu(r,e,t,n){let i=D0(r),s=D0(e);r==e&&(i==-1?(r*=t,e/=t):(r/=t,e*=t));let o=t==10?Gn:ux,a=i==1?er:vr,c=s==1?vr:er,l=a(o(nt(r))),u=c(o(nt(e))),f=bo(t,l),d=bo(t,u);return t==10&&(l<0&&(f=Ae(f,-l)),u<0&&(d=Ae(d,-u))),n||t==2?(r=f*i,e=d*s):(r=px(r,f),e=Mu(e,d)),[r,e]}function Bp(r,e,t,n){let i=Lu(r,e,t,n);return r==0&&(i[0]=0),e==0&&(i[1]=0),i}var kp=.1,k0={mode:3,pad:kp},ja={pad:0,soft:null,mode:0},MM={min:ja,max:ja};function Tu(r,e,t,n){return Cu(t)?O0(r,e,t):(ja.pad=t,ja.soft=n?0:null,ja.mode=n?3:0,O0(r,e,MM))}function pe(r,e){return r??e}function CM(r,e,t){for(e=pe(e,0),t=pe(t,r.length-1);e<=t;){if(r[e]!=null)return!0;e++}return!1}function O0(r,e,t){let n=t.min,i=t.max,s=pe(n.pad,0),o=pe(i.pad,0),a=pe(n.hard,-Pe),c=pe(i.hard,Pe),l=pe(n.soft,Pe),u=pe(i.soft,-Pe),f=pe(n.mode,0),d=pe(i.mode,0),h=e-r,p=Gn(h),m=Bt(nt(r),nt(e)),b=Gn(m),w=nt(b-p);(h<1e-24||w>10)&&(h=0,(r==0||e==0)&&(h=1e-24,f==2&&l!=Pe&&(s=0),d==2&&u!=-Pe&&(o=0)));let _=h||m||1e3,x=Gn(_),E=bo(10,er(x)),T=_*(h==0?r==0?.1:1:s),A=Ae(px(r-T,E/10),24),I=r>=l&&(f==1||f==3&&A<=l||f==2&&A>=l)?l:Pe,D=Bt(a,A<I&&r>=I?I:Vr(I,A)),N=_*(h==0?e==0?.1:1:o),M=Ae(Mu(e+N,E/10),24),R=e<=u&&(d==1||d==3&&M>=u||d==2&&M<=u)?u:-Pe,U=Vr(c,M>R&&e<=R?R:Bt(R,M));return D==U&&D==0&&(U=100),[D,U]}var RM=new Intl.NumberFormat(wo?TM.language:"en-US"),Op=r=>RM.format(r),tr=Math,Eu=tr.PI,nt=tr.abs,er=tr.floor,rt=tr.round,vr=tr.ceil,Vr=tr.min,Bt=tr.max,bo=tr.pow,D0=tr.sign,Gn=tr.log10,ux=tr.log2,IM=(r,e=1)=>tr.sinh(r)*e,gp=(r,e=1)=>tr.asinh(r/e),Pe=1/0;function N0(r){return(Gn((r^r>>31)-(r>>31))|0)+1}function Sp(r,e,t){return Vr(Bt(r,e),t)}function fx(r){return typeof r=="function"}function ue(r){return fx(r)?r:()=>r}var BM=()=>{},dx=r=>r,hx=(r,e)=>e,kM=r=>null,F0=r=>!0,U0=(r,e)=>r==e,OM=/\.\d*?(?=9{6,}|0{6,})/gm,es=r=>{if(gx(r)||di.has(r))return r;let e=`${r}`,t=e.match(OM);if(t==null)return r;let n=t[0].length-1;if(e.indexOf("e-")!=-1){let[i,s]=e.split("e");return+`${es(i)}e${s}`}return Ae(r,n)};function Zi(r,e){return es(Ae(es(r/e))*e)}function Mu(r,e){return es(vr(es(r/e))*e)}function px(r,e){return es(er(es(r/e))*e)}function Ae(r,e=0){if(gx(r))return r;let t=10**e,n=r*t*(1+Number.EPSILON);return rt(n)/t}var di=new Map;function mx(r){return((""+r).split(".")[1]||"").length}function Ya(r,e,t,n){let i=[],s=n.map(mx);for(let o=e;o<t;o++){let a=nt(o),c=Ae(bo(r,o),a);for(let l=0;l<n.length;l++){let u=r==10?+`${n[l]}e${o}`:n[l]*c,f=(o>=0?0:a)+(o>=s[l]?0:s[l]),d=r==10?u:Ae(u,f);i.push(d),di.set(d,f)}}return i}var Ha={},Dp=[],yo=[null,null],fi=Array.isArray,gx=Number.isInteger,DM=r=>r===void 0;function z0(r){return typeof r=="string"}function Cu(r){let e=!1;if(r!=null){let t=r.constructor;e=t==null||t==Object}return e}function NM(r){return r!=null&&typeof r=="object"}var FM=Object.getPrototypeOf(Uint8Array),bx="__proto__";function _o(r,e=Cu){let t;if(fi(r)){let n=r.find(i=>i!=null);if(fi(n)||e(n)){t=Array(r.length);for(let i=0;i<r.length;i++)t[i]=_o(r[i],e)}else t=r.slice()}else if(r instanceof FM)t=r.slice();else if(e(r)){t={};for(let n in r)n!=bx&&(t[n]=_o(r[n],e))}else t=r;return t}function Ze(r){let e=arguments;for(let t=1;t<e.length;t++){let n=e[t];for(let i in n)i!=bx&&(Cu(r[i])?Ze(r[i],_o(n[i])):r[i]=_o(n[i]))}return r}var UM=0,zM=1,GM=2;function $M(r,e,t){for(let n=0,i,s=-1;n<e.length;n++){let o=e[n];if(o>s){for(i=o-1;i>=0&&r[i]==null;)r[i--]=null;for(i=o+1;i<t&&r[i]==null;)r[s=i++]=null}}}function VM(r,e){if(HM(r)){let o=r[0].slice();for(let a=1;a<r.length;a++)o.push(...r[a].slice(1));return YM(o[0])||(o=jM(o)),o}let t=new Set;for(let o=0;o<r.length;o++){let c=r[o][0],l=c.length;for(let u=0;u<l;u++)t.add(c[u])}let n=[Array.from(t).sort((o,a)=>o-a)],i=n[0].length,s=new Map;for(let o=0;o<i;o++)s.set(n[0][o],o);for(let o=0;o<r.length;o++){let a=r[o],c=a[0];for(let l=1;l<a.length;l++){let u=a[l],f=Array(i).fill(void 0),d=e?e[o][l]:zM,h=[];for(let p=0;p<u.length;p++){let m=u[p],b=s.get(c[p]);m===null?d!=UM&&(f[b]=m,d==GM&&h.push(b)):f[b]=m}$M(f,h,i),n.push(f)}}return n}var WM=typeof queueMicrotask>"u"?r=>Promise.resolve().then(r):queueMicrotask;function jM(r){let e=r[0],t=e.length,n=Array(t);for(let s=0;s<n.length;s++)n[s]=s;n.sort((s,o)=>e[s]-e[o]);let i=[];for(let s=0;s<r.length;s++){let o=r[s],a=Array(t);for(let c=0;c<t;c++)a[c]=o[n[c]];i.push(a)}return i}function HM(r){let e=r[0][0],t=e.length;for(let n=1;n<r.length;n++){let i=r[n][0];if(i.length!=t)return!1;if(i!=e){for(let s=0;s<t;s++)if(i[s]!=e[s])return!1}}return!0}function YM(r,e=100){let t=r.length;if(t<=1)return!0;let n=0,i=t-1;for(;n<=i&&r[n]==null;)n++;for(;i>=n&&r[i]==null;)i--;if(i<=n)return!0;let s=Bt(1,er((i-n+1)/e));for(let o=r[n],a=n+s;a<=i;a+=s){let c=r[a];if(c!=null){if(c<=o)return!1;o=c}}return!0}var yx=["January","February","March","April","May","June","July","August","September","October","November","December"],_x=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function xx(r){return r.slice(0,3)}var qM=_x.map(xx),XM=yx.map(xx),ZM={MMMM:yx,MMM:XM,WWWW:_x,WWW:qM};function Ga(r){return(r<10?"0":"")+r}function KM(r){return(r<10?"00":r<100?"0":"")+r}var QM={YYYY:r=>r.getFullYear(),YY:r=>(r.getFullYear()+"").slice(2),MMMM:(r,e)=>e.MMMM[r.getMonth()],MMM:(r,e)=>e.MMM[r.getMonth()],MM:r=>Ga(r.getMonth()+1),M:r=>r.getMonth()+1,DD:r=>Ga(r.getDate()),D:r=>r.getDate(),WWWW:(r,e)=>e.WWWW[r.getDay()],WWW:(r,e)=>e.WWW[r.getDay()],HH:r=>Ga(r.getHours()),H:r=>r.getHours(),h:r=>{let e=r.getHours();return e==0?12:e>12?e-12:e},AA:r=>r.getHours()>=12?"PM":"AM",aa:r=>r.getHours()>=12?"pm":"am",a:r=>r.getHours()>=12?"p":"a",mm:r=>Ga(r.getMinutes()),m:r=>r.getMinutes(),ss:r=>Ga(r.getSeconds()),s:r=>r.getSeconds(),fff:r=>KM(r.getMilliseconds())};function Np(r,e){e=e||ZM;let t=[],n=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=n.exec(r);)t.push(i[0][0]=="{"?QM[i[1]]:i[0]);return s=>{let o="";for(let a=0;a<t.length;a++)o+=typeof t[a]=="string"?t[a]:t[a](s,e);return o}}var JM=new Intl.DateTimeFormat().resolvedOptions().timeZone;function eC(r,e){let t;return e=="UTC"||e=="Etc/UTC"?t=new Date(+r+r.getTimezoneOffset()*6e4):e==JM?t=r:(t=new Date(r.toLocaleString("en-US",{timeZone:e})),t.setMilliseconds(r.getMilliseconds())),t}var wx=r=>r%1==0,Pu=[1,2,2.5,5],tC=Ya(10,-32,0,Pu),vx=Ya(10,0,32,Pu),rC=vx.filter(wx),Ki=tC.concat(vx),Fp=`
`,Ex="{YYYY}",G0=Fp+Ex,Sx="{M}/{D}",Wa=Fp+Sx,wu=Wa+"/{YY}",Tx="{aa}",nC="{h}:{mm}",mo=nC+Tx,$0=Fp+mo,V0=":{ss}",_e=null;function Px(r){let e=r*1e3,t=e*60,n=t*60,i=n*24,s=i*30,o=i*365,c=(r==1?Ya(10,0,3,Pu).filter(wx):Ya(10,-3,0,Pu)).concat([e,e*5,e*10,e*15,e*30,t,t*5,t*10,t*15,t*30,n,n*2,n*3,n*4,n*6,n*8,n*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,s,s*2,s*3,s*4,s*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),l=[[o,Ex,_e,_e,_e,_e,_e,_e,1],[i*28,"{MMM}",G0,_e,_e,_e,_e,_e,1],[i,Sx,G0,_e,_e,_e,_e,_e,1],[n,"{h}"+Tx,wu,_e,Wa,_e,_e,_e,1],[t,mo,wu,_e,Wa,_e,_e,_e,1],[e,V0,wu+" "+mo,_e,Wa+" "+mo,_e,$0,_e,1],[r,V0+".{fff}",wu+" "+mo,_e,Wa+" "+mo,_e,$0,_e,1]];function u(f){return(d,h,p,m,b,w)=>{let _=[],x=b>=o,E=b>=s&&b<o,T=f(p),A=Ae(T*r,3),I=bp(T.getFullYear(),x?0:T.getMonth(),E||x?1:T.getDate()),D=Ae(I*r,3);if(E||x){let N=E?b/s:0,M=x?b/o:0,R=A==D?A:Ae(bp(I.getFullYear()+M,I.getMonth()+N,1)*r,3),U=new Date(rt(R/r)),O=U.getFullYear(),z=U.getMonth();for(let W=0;R<=m;W++){let Z=bp(O+M*W,z+N*W,1),H=Z-f(Ae(Z*r,3));R=Ae((+Z+H)*r,3),R<=m&&_.push(R)}}else{let N=b>=i?i:b,M=er(p)-er(A),R=D+M+Mu(A-D,N);_.push(R);let U=f(R),O=U.getHours()+U.getMinutes()/t+U.getSeconds()/n,z=b/n,W=d.axes[h]._space,Z=w/W;for(;R=Ae(R+b,r==1?0:3),!(R>m);)if(z>1){let H=er(Ae(O+z,6))%24,le=f(R).getHours()-H;le>1&&(le=-1),R-=le*n,O=(O+z)%24;let ve=_[_.length-1];Ae((R-ve)/b,3)*Z>=.7&&_.push(R)}else _.push(R)}return _}}return[c,l,u]}var[iC,sC,oC]=Px(1),[aC,cC,lC]=Px(.001);Ya(2,-53,53,[1]);function W0(r,e){return r.map(t=>t.map((n,i)=>i==0||i==8||n==null?n:e(i==1||t[8]==0?n:t[1]+n)))}function j0(r,e){return(t,n,i,s,o)=>{let a=e.find(p=>o>=p[0])||e[e.length-1],c,l,u,f,d,h;return n.map(p=>{let m=r(p),b=m.getFullYear(),w=m.getMonth(),_=m.getDate(),x=m.getHours(),E=m.getMinutes(),T=m.getSeconds(),A=b!=c&&a[2]||w!=l&&a[3]||_!=u&&a[4]||x!=f&&a[5]||E!=d&&a[6]||T!=h&&a[7]||a[1];return c=b,l=w,u=_,f=x,d=E,h=T,A(m)})}}function uC(r,e){let t=Np(e);return(n,i,s,o,a)=>i.map(c=>t(r(c)))}function bp(r,e,t){return new Date(r,e,t)}function H0(r,e){return e(r)}var fC="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Y0(r,e){return(t,n,i,s)=>s==null?Rp:e(r(n))}function dC(r,e){let t=r.series[e];return t.width?t.stroke(r,e):t.points.width?t.points.stroke(r,e):null}function hC(r,e){return r.series[e].fill(r,e)}var pC={show:!0,live:!0,isolate:!1,mount:BM,markers:{show:!0,width:2,stroke:dC,fill:hC,dash:"solid"},idx:null,idxs:null,values:[]};function mC(r,e){let t=r.cursor.points,n=wr(),i=t.size(r,e);ke(n,$a,i),ke(n,Va,i);let s=i/-2;ke(n,"marginLeft",s),ke(n,"marginTop",s);let o=t.width(r,e,i);return o&&ke(n,"borderWidth",o),n}function gC(r,e){let t=r.series[e].points;return t._fill||t._stroke}function bC(r,e){let t=r.series[e].points;return t._stroke||t._fill}function yC(r,e){return r.series[e].points.size}var yp=[0,0];function _C(r,e,t){return yp[0]=e,yp[1]=t,yp}function vu(r,e,t,n=!0){return i=>{i.button==0&&(!n||i.target==e)&&t(i)}}function _p(r,e,t,n=!0){return i=>{(!n||i.target==e)&&t(i)}}var xC={show:!0,x:!0,y:!0,lock:!1,move:_C,points:{one:!1,show:mC,size:yC,width:0,stroke:bC,fill:gC},bind:{mousedown:vu,mouseup:vu,click:vu,dblclick:vu,mousemove:_p,mouseleave:_p,mouseenter:_p},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(r,e)=>{e.stopPropagation(),e.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(r,e,t,n,i)=>n-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ax={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Up=Ze({},Ax,{filter:hx}),Lx=Ze({},Up,{size:10}),Mx=Ze({},Ax,{show:!1}),zp='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Cx="bold "+zp,Rx=1.5,q0={show:!0,scale:"x",stroke:Cp,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Cx,side:2,grid:Up,ticks:Lx,border:Mx,font:zp,lineGap:Rx,rotate:0},wC="Value",vC="Time",X0={show:!0,scale:"x",auto:!1,sorted:1,min:Pe,max:-Pe,idxs:[]};function EC(r,e,t,n,i){return e.map(s=>s==null?"":Op(s))}function SC(r,e,t,n,i,s,o){let a=[],c=di.get(i)||0;t=o?t:Ae(Mu(t,i),c);for(let l=t;l<=n;l=Ae(l+i,c))a.push(Object.is(l,-0)?0:l);return a}function Tp(r,e,t,n,i,s,o){let a=[],c=r.scales[r.axes[e].scale].log,l=c==10?Gn:ux,u=er(l(t));i=bo(c,u),c==10&&(i=Ki[$r(i,Ki)]);let f=t,d=i*c;c==10&&(d=Ki[$r(d,Ki)]);do a.push(f),f=f+i,c==10&&!di.has(f)&&(f=Ae(f,di.get(i))),f>=d&&(i=f,d=i*c,c==10&&(d=Ki[$r(d,Ki)]));while(f<=n);return a}function TC(r,e,t,n,i,s,o){let c=r.scales[r.axes[e].scale].asinh,l=n>c?Tp(r,e,Bt(c,t),n,i):[c],u=n>=0&&t<=0?[0]:[];return(t<-c?Tp(r,e,Bt(c,-n),-t,i):[c]).reverse().map(d=>-d).concat(u,l)}var Ix=/./,PC=/[12357]/,AC=/[125]/,Z0=/1/,Pp=(r,e,t,n)=>r.map((i,s)=>e==4&&i==0||s%n==0&&t.test(i.toExponential()[i<0?1:0])?i:null);function LC(r,e,t,n,i){let s=r.axes[t],o=s.scale,a=r.scales[o],c=r.valToPos,l=s._space,u=c(10,o),f=c(9,o)-u>=l?Ix:c(7,o)-u>=l?PC:c(5,o)-u>=l?AC:Z0;if(f==Z0){let d=nt(c(1,o)-u);if(d<l)return Pp(e.slice().reverse(),a.distr,f,vr(l/d)).reverse()}return Pp(e,a.distr,f,1)}function MC(r,e,t,n,i){let s=r.axes[t],o=s.scale,a=s._space,c=r.valToPos,l=nt(c(1,o)-c(2,o));return l<a?Pp(e.slice().reverse(),3,Ix,vr(a/l)).reverse():e}function CC(r,e,t,n){return n==null?Rp:e==null?"":Op(e)}var K0={show:!0,scale:"y",stroke:Cp,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Cx,side:3,grid:Up,ticks:Lx,border:Mx,font:zp,lineGap:Rx,rotate:0};function RC(r,e){let t=3+(r||1)*2;return Ae(t*e,3)}function IC(r,e){let{scale:t,idxs:n}=r.series[0],i=r._data[0],s=r.valToPos(i[n[0]],t,!0),o=r.valToPos(i[n[1]],t,!0),a=nt(o-s),c=r.series[e],l=a/(c.points.space*ge);return n[1]-n[0]<=l}var Q0={scale:null,auto:!0,sorted:0,min:Pe,max:-Pe},Bx=(r,e,t,n,i)=>i,J0={show:!0,auto:!0,sorted:0,gaps:Bx,alpha:1,facets:[Ze({},Q0,{scale:"x"}),Ze({},Q0,{scale:"y"})]},ex={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Bx,alpha:1,points:{show:IC,filter:null},values:null,min:Pe,max:-Pe,idxs:[],path:null,clip:null};function BC(r,e,t,n,i){return t/10}var kx={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},kC=Ze({},kx,{time:!1,ori:1}),tx={};function Ox(r,e){let t=tx[r];return t||(t={key:r,plots:[],sub(n){t.plots.push(n)},unsub(n){t.plots=t.plots.filter(i=>i!=n)},pub(n,i,s,o,a,c,l){for(let u=0;u<t.plots.length;u++)t.plots[u]!=i&&t.plots[u].pub(n,i,s,o,a,c,l)}},r!=null&&(tx[r]=t)),t}var xo=1,Ap=2;function ts(r,e,t){let n=r.mode,i=r.series[e],s=n==2?r._data[e]:r._data,o=r.scales,a=r.bbox,c=s[0],l=n==2?s[1]:s[e],u=n==2?o[i.facets[0].scale]:o[r.series[0].scale],f=n==2?o[i.facets[1].scale]:o[i.scale],d=a.left,h=a.top,p=a.width,m=a.height,b=r.valToPosH,w=r.valToPosV;return u.ori==0?t(i,c,l,u,f,b,w,d,h,p,m,Iu,vo,ku,Nx,Ux):t(i,c,l,u,f,w,b,h,d,m,p,Bu,Eo,Vp,Fx,zx)}function Gp(r,e){let t=0,n=0,i=pe(r.bands,Dp);for(let s=0;s<i.length;s++){let o=i[s];o.series[0]==e?t=o.dir:o.series[1]==e&&(o.dir==1?n|=1:n|=2)}return[t,n==1?-1:n==2?1:n==3?2:0]}function OC(r,e,t,n,i){let s=r.mode,o=r.series[e],a=s==2?o.facets[1].scale:o.scale,c=r.scales[a];return i==-1?c.min:i==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function $n(r,e,t,n,i,s){return ts(r,e,(o,a,c,l,u,f,d,h,p,m,b)=>{let w=o.pxRound,_=l.dir*(l.ori==0?1:-1),x=l.ori==0?vo:Eo,E,T;_==1?(E=t,T=n):(E=n,T=t);let A=w(f(a[E],l,m,h)),I=w(d(c[E],u,b,p)),D=w(f(a[T],l,m,h)),N=w(d(s==1?u.max:u.min,u,b,p)),M=new Path2D(i);return x(M,D,N),x(M,A,N),x(M,A,I),M})}function Ru(r,e,t,n,i,s){let o=null;if(r.length>0){o=new Path2D;let a=e==0?ku:Vp,c=t;for(let f=0;f<r.length;f++){let d=r[f];if(d[1]>d[0]){let h=d[0]-c;h>0&&a(o,c,n,h,n+s),c=d[1]}}let l=t+i-c,u=10;l>0&&a(o,c,n-u/2,l,n+s+u)}return o}function DC(r,e,t){let n=r[r.length-1];n&&n[0]==e?n[1]=t:r.push([e,t])}function $p(r,e,t,n,i,s,o){let a=[],c=r.length;for(let l=i==1?t:n;l>=t&&l<=n;l+=i)if(e[l]===null){let f=l,d=l;if(i==1)for(;++l<=n&&e[l]===null;)d=l;else for(;--l>=t&&e[l]===null;)d=l;let h=s(r[f]),p=d==f?h:s(r[d]),m=f-i;h=o<=0&&m>=0&&m<c?s(r[m]):h;let w=d+i;p=o>=0&&w>=0&&w<c?s(r[w]):p,p>=h&&a.push([h,p])}return a}function rx(r){return r==0?dx:r==1?rt:e=>Zi(e,r)}function Dx(r){let e=r==0?Iu:Bu,t=r==0?(i,s,o,a,c,l)=>{i.arcTo(s,o,a,c,l)}:(i,s,o,a,c,l)=>{i.arcTo(o,s,c,a,l)},n=r==0?(i,s,o,a,c)=>{i.rect(s,o,a,c)}:(i,s,o,a,c)=>{i.rect(o,s,c,a)};return(i,s,o,a,c,l=0,u=0)=>{l==0&&u==0?n(i,s,o,a,c):(l=Vr(l,a/2,c/2),u=Vr(u,a/2,c/2),e(i,s+l,o),t(i,s+a,o,s+a,o+c,l),t(i,s+a,o+c,s,o+c,u),t(i,s,o+c,s,o,u),t(i,s,o,s+a,o,l),i.closePath())}}var Iu=(r,e,t)=>{r.moveTo(e,t)},Bu=(r,e,t)=>{r.moveTo(t,e)},vo=(r,e,t)=>{r.lineTo(e,t)},Eo=(r,e,t)=>{r.lineTo(t,e)},ku=Dx(0),Vp=Dx(1),Nx=(r,e,t,n,i,s)=>{r.arc(e,t,n,i,s)},Fx=(r,e,t,n,i,s)=>{r.arc(t,e,n,i,s)},Ux=(r,e,t,n,i,s,o)=>{r.bezierCurveTo(e,t,n,i,s,o)},zx=(r,e,t,n,i,s,o)=>{r.bezierCurveTo(t,e,i,n,o,s)};function Gx(r){return(e,t,n,i,s)=>ts(e,t,(o,a,c,l,u,f,d,h,p,m,b)=>{let{pxRound:w,points:_}=o,x,E;l.ori==0?(x=Iu,E=Nx):(x=Bu,E=Fx);let T=Ae(_.width*ge,3),A=(_.size-_.width)/2*ge,I=Ae(A*2,3),D=new Path2D,N=new Path2D,{left:M,top:R,width:U,height:O}=e.bbox;ku(N,M-I,R-I,U+I*2,O+I*2);let z=W=>{if(c[W]!=null){let Z=w(f(a[W],l,m,h)),H=w(d(c[W],u,b,p));x(D,Z+A,H),E(D,Z,H,A,0,Eu*2)}};if(s)s.forEach(z);else for(let W=n;W<=i;W++)z(W);return{stroke:T>0?D:null,fill:D,clip:N,flags:xo|Ap}})}function $x(r){return(e,t,n,i,s,o)=>{n!=i&&(s!=n&&o!=n&&r(e,t,n),s!=i&&o!=i&&r(e,t,i),r(e,t,o))}}var NC=$x(vo),FC=$x(Eo);function Vx(r){let e=pe(r?.alignGaps,0);return(t,n,i,s)=>ts(t,n,(o,a,c,l,u,f,d,h,p,m,b)=>{[i,s]=Au(c,i,s);let w=o.pxRound,_=O=>w(f(O,l,m,h)),x=O=>w(d(O,u,b,p)),E,T;l.ori==0?(E=vo,T=NC):(E=Eo,T=FC);let A=l.dir*(l.ori==0?1:-1),I={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:xo},D=I.stroke,N=!1;if(s-i>=m*4){let O=K=>t.posToVal(K,l.key,!0),z=null,W=null,Z,H,qe,we=_(a[A==1?i:s]),le=_(a[i]),ve=_(a[s]),ae=O(A==1?le+1:ve-1);for(let K=A==1?i:s;K>=i&&K<=s;K+=A){let et=a[K],De=(A==1?et<ae:et>ae)?we:_(et),ye=c[K];De==we?ye!=null?(H=ye,z==null?(E(D,De,x(H)),Z=z=W=H):H<z?z=H:H>W&&(W=H)):ye===null&&(N=!0):(z!=null&&T(D,we,x(z),x(W),x(Z),x(H)),ye!=null?(H=ye,E(D,De,x(H)),z=W=Z=H):(z=W=null,ye===null&&(N=!0)),we=De,ae=O(we+A))}z!=null&&z!=W&&qe!=we&&T(D,we,x(z),x(W),x(Z),x(H))}else for(let O=A==1?i:s;O>=i&&O<=s;O+=A){let z=c[O];z===null?N=!0:z!=null&&E(D,_(a[O]),x(z))}let[R,U]=Gp(t,n);if(o.fill!=null||R!=0){let O=I.fill=new Path2D(D),z=o.fillTo(t,n,o.min,o.max,R),W=x(z),Z=_(a[i]),H=_(a[s]);A==-1&&([H,Z]=[Z,H]),E(O,H,W),E(O,Z,W)}if(!o.spanGaps){let O=[];N&&O.push(...$p(a,c,i,s,A,_,e)),I.gaps=O=o.gaps(t,n,i,s,O),I.clip=Ru(O,l.ori,h,p,m,b)}return U!=0&&(I.band=U==2?[$n(t,n,i,s,D,-1),$n(t,n,i,s,D,1)]:$n(t,n,i,s,D,U)),I})}function UC(r){let e=pe(r.align,1),t=pe(r.ascDesc,!1),n=pe(r.alignGaps,0),i=pe(r.extend,!1);return(s,o,a,c)=>ts(s,o,(l,u,f,d,h,p,m,b,w,_,x)=>{[a,c]=Au(f,a,c);let E=l.pxRound,{left:T,width:A}=s.bbox,I=le=>E(p(le,d,_,b)),D=le=>E(m(le,h,x,w)),N=d.ori==0?vo:Eo,M={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:xo},R=M.stroke,U=d.dir*(d.ori==0?1:-1),O=D(f[U==1?a:c]),z=I(u[U==1?a:c]),W=z,Z=z;i&&e==-1&&(Z=T,N(R,Z,O)),N(R,z,O);for(let le=U==1?a:c;le>=a&&le<=c;le+=U){let ve=f[le];if(ve==null)continue;let ae=I(u[le]),K=D(ve);e==1?N(R,ae,O):N(R,W,K),N(R,ae,K),O=K,W=ae}let H=W;i&&e==1&&(H=T+A,N(R,H,O));let[qe,we]=Gp(s,o);if(l.fill!=null||qe!=0){let le=M.fill=new Path2D(R),ve=l.fillTo(s,o,l.min,l.max,qe),ae=D(ve);N(le,H,ae),N(le,Z,ae)}if(!l.spanGaps){let le=[];le.push(...$p(u,f,a,c,U,I,n));let ve=l.width*ge/2,ae=t||e==1?ve:-ve,K=t||e==-1?-ve:ve;le.forEach(et=>{et[0]+=ae,et[1]+=K}),M.gaps=le=l.gaps(s,o,a,c,le),M.clip=Ru(le,d.ori,b,w,_,x)}return we!=0&&(M.band=we==2?[$n(s,o,a,c,R,-1),$n(s,o,a,c,R,1)]:$n(s,o,a,c,R,we)),M})}function nx(r,e,t,n,i,s,o=Pe){if(r.length>1){let a=null;for(let c=0,l=1/0;c<r.length;c++)if(e[c]!==void 0){if(a!=null){let u=nt(r[c]-r[a]);u<l&&(l=u,o=nt(t(r[c],n,i,s)-t(r[a],n,i,s)))}a=c}}return o}function zC(r){r=r||Ha;let e=pe(r.size,[.6,Pe,1]),t=r.align||0,n=r.gap||0,i=r.radius;i=i==null?[0,0]:typeof i=="number"?[i,0]:i;let s=ue(i),o=1-e[0],a=pe(e[1],Pe),c=pe(e[2],1),l=pe(r.disp,Ha),u=pe(r.each,h=>{}),{fill:f,stroke:d}=l;return(h,p,m,b)=>ts(h,p,(w,_,x,E,T,A,I,D,N,M,R)=>{let U=w.pxRound,O=t,z=n*ge,W=a*ge,Z=c*ge,H,qe;E.ori==0?[H,qe]=s(h,p):[qe,H]=s(h,p);let we=E.dir*(E.ori==0?1:-1),le=E.ori==0?ku:Vp,ve=E.ori==0?u:(q,Le,tt,Ks,$i,sn,Vi)=>{u(q,Le,tt,$i,Ks,Vi,sn)},ae=pe(h.bands,Dp).find(q=>q.series[0]==p),K=ae!=null?ae.dir:0,et=w.fillTo(h,p,w.min,w.max,K),Lt=U(I(et,T,R,N)),De,ye,Dr,qt=M,Fe=U(w.width*ge),nn=!1,Nn=null,mr=null,si=null,qs=null;f!=null&&(Fe==0||d!=null)&&(nn=!0,Nn=f.values(h,p,m,b),mr=new Map,new Set(Nn).forEach(q=>{q!=null&&mr.set(q,new Path2D)}),Fe>0&&(si=d.values(h,p,m,b),qs=new Map,new Set(si).forEach(q=>{q!=null&&qs.set(q,new Path2D)})));let{x0:Xs,size:Ba}=l;if(Xs!=null&&Ba!=null){O=1,_=Xs.values(h,p,m,b),Xs.unit==2&&(_=_.map(tt=>h.posToVal(D+tt*M,E.key,!0)));let q=Ba.values(h,p,m,b);Ba.unit==2?ye=q[0]*M:ye=A(q[0],E,M,D)-A(0,E,M,D),qt=nx(_,x,A,E,M,D,qt),Dr=qt-ye+z}else qt=nx(_,x,A,E,M,D,qt),Dr=qt*o+z,ye=qt-Dr;Dr<1&&(Dr=0),Fe>=ye/2&&(Fe=0),Dr<5&&(U=dx);let uu=Dr>0,zi=qt-Dr-(uu?Fe:0);ye=U(Sp(zi,Z,W)),De=(O==0?ye/2:O==we?0:ye)-O*we*((O==0?z/2:0)+(uu?Fe/2:0));let Mt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Zs=nn?null:new Path2D,Fn=null;if(ae!=null)Fn=h.data[ae.series[1]];else{let{y0:q,y1:Le}=l;q!=null&&Le!=null&&(x=Le.values(h,p,m,b),Fn=q.values(h,p,m,b))}let Gi=H*ye,oe=qe*ye;for(let q=we==1?m:b;q>=m&&q<=b;q+=we){let Le=x[q];if(Le==null)continue;if(Fn!=null){let $t=Fn[q]??0;if(Le-$t==0)continue;Lt=I($t,T,R,N)}let tt=E.distr!=2||l!=null?_[q]:q,Ks=A(tt,E,M,D),$i=I(pe(Le,et),T,R,N),sn=U(Ks-De),Vi=U(Bt($i,Lt)),Xt=U(Vr($i,Lt)),gr=Vi-Xt;if(Le!=null){let $t=Le<0?oe:Gi,Nr=Le<0?Gi:oe;nn?(Fe>0&&si[q]!=null&&le(qs.get(si[q]),sn,Xt+er(Fe/2),ye,Bt(0,gr-Fe),$t,Nr),Nn[q]!=null&&le(mr.get(Nn[q]),sn,Xt+er(Fe/2),ye,Bt(0,gr-Fe),$t,Nr)):le(Zs,sn,Xt+er(Fe/2),ye,Bt(0,gr-Fe),$t,Nr),ve(h,p,q,sn-Fe/2,Xt,ye+Fe,gr)}}return Fe>0?Mt.stroke=nn?qs:Zs:nn||(Mt._fill=w.width==0?w._fill:w._stroke??w._fill,Mt.width=0),Mt.fill=nn?mr:Zs,Mt})}function GC(r,e){let t=pe(e?.alignGaps,0);return(n,i,s,o)=>ts(n,i,(a,c,l,u,f,d,h,p,m,b,w)=>{[s,o]=Au(l,s,o);let _=a.pxRound,x=H=>_(d(H,u,b,p)),E=H=>_(h(H,f,w,m)),T,A,I;u.ori==0?(T=Iu,I=vo,A=Ux):(T=Bu,I=Eo,A=zx);let D=u.dir*(u.ori==0?1:-1),N=x(c[D==1?s:o]),M=N,R=[],U=[];for(let H=D==1?s:o;H>=s&&H<=o;H+=D)if(l[H]!=null){let we=c[H],le=x(we);R.push(M=le),U.push(E(l[H]))}let O={stroke:r(R,U,T,I,A,_),fill:null,clip:null,band:null,gaps:null,flags:xo},z=O.stroke,[W,Z]=Gp(n,i);if(a.fill!=null||W!=0){let H=O.fill=new Path2D(z),qe=a.fillTo(n,i,a.min,a.max,W),we=E(qe);I(H,M,we),I(H,N,we)}if(!a.spanGaps){let H=[];H.push(...$p(c,l,s,o,D,x,t)),O.gaps=H=a.gaps(n,i,s,o,H),O.clip=Ru(H,u.ori,p,m,b,w)}return Z!=0&&(O.band=Z==2?[$n(n,i,s,o,z,-1),$n(n,i,s,o,z,1)]:$n(n,i,s,o,z,Z)),O})}function $C(r){return GC(VC,r)}function VC(r,e,t,n,i,s){let o=r.length;if(o<2)return null;let a=new Path2D;if(t(a,r[0],e[0]),o==2)n(a,r[1],e[1]);else{let c=Array(o),l=Array(o-1),u=Array(o-1),f=Array(o-1);for(let d=0;d<o-1;d++)u[d]=e[d+1]-e[d],f[d]=r[d+1]-r[d],l[d]=u[d]/f[d];c[0]=l[0];for(let d=1;d<o-1;d++)l[d]===0||l[d-1]===0||l[d-1]>0!=l[d]>0?c[d]=0:(c[d]=3*(f[d-1]+f[d])/((2*f[d]+f[d-1])/l[d-1]+(f[d]+2*f[d-1])/l[d]),isFinite(c[d])||(c[d]=0));c[o-1]=l[o-2];for(let d=0;d<o-1;d++)i(a,r[d]+f[d]/3,e[d]+c[d]*f[d]/3,r[d+1]-f[d]/3,e[d+1]-c[d+1]*f[d]/3,r[d+1],e[d+1])}return a}var Lp=new Set;function ix(){for(let r of Lp)r.syncRect(!0)}wo&&(Ji(EM,go,ix),Ji(SM,go,ix,!0),Ji(Su,go,()=>{dt.pxRatio=ge}));var WC=Vx(),jC=Gx();function sx(r,e,t,n){return(n?[r[0],r[1]].concat(r.slice(2)):[r[0]].concat(r.slice(1))).map((s,o)=>Mp(s,o,e,t))}function HC(r,e){return r.map((t,n)=>n==0?{}:Ze({},e,t))}function Mp(r,e,t,n){return Ze({},e==0?t:n,r)}function Wx(r,e,t){return e==null?yo:[e,t]}var YC=Wx;function qC(r,e,t){return e==null?yo:Tu(e,t,kp,!0)}function jx(r,e,t,n){return e==null?yo:Lu(e,t,r.scales[n].log,!1)}var XC=jx;function Hx(r,e,t,n){return e==null?yo:Bp(e,t,r.scales[n].log,!1)}var ZC=Hx;function KC(r,e,t,n,i){let s=Bt(N0(r),N0(e)),o=e-r,a=$r(i/n*o,t);do{let c=t[a],l=n*c/o;if(l>=i&&s+(c<5?di.get(c):0)<=17)return[c,l]}while(++a<t.length);return[0,0]}function ox(r){let e,t;return r=r.replace(/(\d+)px/,(n,i)=>(e=rt((t=+i)*ge))+"px"),[r,e,t]}function QC(r){r.show&&[r.font,r.labelFont].forEach(e=>{let t=Ae(e[2]*ge,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function dt(r,e,t){let n={mode:pe(r.mode,1)},i=n.mode;function s(g,y,v,S){let L=y.valToPct(g);return S+v*(y.dir==-1?1-L:L)}function o(g,y,v,S){let L=y.valToPct(g);return S+v*(y.dir==-1?L:1-L)}function a(g,y,v,S){return y.ori==0?s(g,y,v,S):o(g,y,v,S)}n.valToPosH=s,n.valToPosV=o;let c=!1;n.status=0;let l=n.root=wr(sM);if(r.id!=null&&(l.id=r.id),Jt(l,r.class),r.title){let g=wr(cM,l);g.textContent=r.title}let u=Gr("canvas"),f=n.ctx=u.getContext("2d"),d=wr(lM,l);Ji("click",d,g=>{g.target===p&&(Re!=co||Ne!=lo)&&bt.click(n,g)},!0);let h=n.under=wr(uM,d);d.appendChild(u);let p=n.over=wr(fM,d);r=_o(r);let m=+pe(r.pxAlign,1),b=rx(m);(r.plugins||[]).forEach(g=>{g.opts&&(r=g.opts(n,r)||r)});let w=r.ms||.001,_=n.series=i==1?sx(r.series||[],X0,ex,!1):HC(r.series||[null],J0),x=n.axes=sx(r.axes||[],q0,K0,!0),E=n.scales={},T=n.bands=r.bands||[];T.forEach(g=>{g.fill=ue(g.fill||null),g.dir=pe(g.dir,-1)});let A=i==2?_[1].facets[0].scale:_[0].scale,I={axes:VL,series:FL},D=(r.drawOrder||["axes","series"]).map(g=>I[g]);function N(g){let y=g.distr==3?v=>Gn(v>0?v:g.clamp(n,v,g.min,g.max,g.key)):g.distr==4?v=>gp(v,g.asinh):g.distr==100?v=>g.fwd(v):v=>v;return v=>{let S=y(v),{_min:L,_max:C}=g,F=C-L;return(S-L)/F}}function M(g){let y=E[g];if(y==null){let v=(r.scales||Ha)[g]||Ha;if(v.from!=null){M(v.from);let S=Ze({},E[v.from],v,{key:g});S.valToPct=N(S),E[g]=S}else{y=E[g]=Ze({},g==A?kx:kC,v),y.key=g;let S=y.time,L=y.range,C=fi(L);if((g!=A||i==2&&!S)&&(C&&(L[0]==null||L[1]==null)&&(L={min:L[0]==null?k0:{mode:1,hard:L[0],soft:L[0]},max:L[1]==null?k0:{mode:1,hard:L[1],soft:L[1]}},C=!1),!C&&Cu(L))){let F=L;L=(G,$,j)=>$==null?yo:Tu($,j,F)}y.range=ue(L||(S?YC:g==A?y.distr==3?XC:y.distr==4?ZC:Wx:y.distr==3?jx:y.distr==4?Hx:qC)),y.auto=ue(C?!1:y.auto),y.clamp=ue(y.clamp||BC),y._min=y._max=null,y.valToPct=N(y)}}}M("x"),M("y"),i==1&&_.forEach(g=>{M(g.scale)}),x.forEach(g=>{M(g.scale)});for(let g in r.scales)M(g);let R=E[A],U=R.distr,O,z;R.ori==0?(Jt(l,oM),O=s,z=o):(Jt(l,aM),O=o,z=s);let W={};for(let g in E){let y=E[g];(y.min!=null||y.max!=null)&&(W[g]={min:y.min,max:y.max},y.min=y.max=null)}let Z=r.tzDate||(g=>new Date(rt(g/w))),H=r.fmtDate||Np,qe=w==1?oC(Z):lC(Z),we=j0(Z,W0(w==1?sC:cC,H)),le=Y0(Z,H0(fC,H)),ve=[],ae=n.legend=Ze({},pC,r.legend),K=n.cursor=Ze({},xC,{drag:{y:i==2}},r.cursor),et=ae.show,Lt=K.show,De=ae.markers;ae.idxs=ve,De.width=ue(De.width),De.dash=ue(De.dash),De.stroke=ue(De.stroke),De.fill=ue(De.fill);let ye,Dr,qt,Fe=[],nn=[],Nn,mr=!1,si={};if(ae.live){let g=_[1]?_[1].values:null;mr=g!=null,Nn=mr?g(n,1,0):{_:0};for(let y in Nn)si[y]=Rp}if(et)if(ye=Gr("table",bM,l),qt=Gr("tbody",null,ye),ae.mount(n,ye),mr){Dr=Gr("thead",null,ye,qt);let g=Gr("tr",null,Dr);Gr("th",null,g);for(var qs in Nn)Gr("th",w0,g).textContent=qs}else Jt(ye,_M),ae.live&&Jt(ye,yM);let Xs={show:!0},Ba={show:!1};function uu(g,y){if(y==0&&(mr||!ae.live||i==2))return yo;let v=[],S=Gr("tr",xM,qt,qt.childNodes[y]);Jt(S,g.class),g.show||Jt(S,Qi);let L=Gr("th",null,S);if(De.show){let G=wr(wM,L);if(y>0){let $=De.width(n,y);$&&(G.style.border=$+"px "+De.dash(n,y)+" "+De.stroke(n,y)),G.style.background=De.fill(n,y)}}let C=wr(w0,L);g.label instanceof HTMLElement?C.appendChild(g.label):C.textContent=g.label,y>0&&(De.show||(C.style.color=g.width>0?De.stroke(n,y):De.fill(n,y)),Mt("click",L,G=>{if(K._lock)return;ji(G);let $=_.indexOf(g);if((G.ctrlKey||G.metaKey)!=ae.isolate){let j=_.some((Y,X)=>X>0&&X!=$&&Y.show);_.forEach((Y,X)=>{X>0&&an(X,j?X==$?Xs:Ba:Xs,!0,Xe.setSeries)})}else an($,{show:!g.show},!0,Xe.setSeries)},!1),Js&&Mt(T0,L,G=>{K._lock||(ji(G),an(_.indexOf(g),fo,!0,Xe.setSeries))},!1));for(var F in Nn){let G=Gr("td",vM,S);G.textContent="--",v.push(G)}return[S,v]}let zi=new Map;function Mt(g,y,v,S=!0){let L=zi.get(y)||{},C=K.bind[g](n,y,v,S);C&&(Ji(g,y,L[g]=C),zi.set(y,L))}function Zs(g,y,v){let S=zi.get(y)||{};for(let L in S)(g==null||L==g)&&(Ep(L,y,S[L]),delete S[L]);g==null&&zi.delete(y)}let Fn=0,Gi=0,oe=0,q=0,Le=0,tt=0,Ks=Le,$i=tt,sn=oe,Vi=q,Xt=0,gr=0,$t=0,Nr=0;n.bbox={};let Wh=!1,fu=!1,Qs=!1,Wi=!1,du=!1,br=!1;function jh(g,y,v){(v||g!=n.width||y!=n.height)&&j_(g,y),io(!1),Qs=!0,fu=!0,so()}function j_(g,y){n.width=Fn=oe=g,n.height=Gi=q=y,Le=tt=0,RL(),IL();let v=n.bbox;Xt=v.left=Zi(Le*ge,.5),gr=v.top=Zi(tt*ge,.5),$t=v.width=Zi(oe*ge,.5),Nr=v.height=Zi(q*ge,.5)}let LL=3;function ML(){let g=!1,y=0;for(;!g;){y++;let v=GL(y),S=$L(y);g=y==LL||v&&S,g||(j_(n.width,n.height),fu=!0)}}function CL({width:g,height:y}){jh(g,y)}n.setSize=CL;function RL(){let g=!1,y=!1,v=!1,S=!1;x.forEach((L,C)=>{if(L.show&&L._show){let{side:F,_size:G}=L,$=F%2,j=L.label!=null?L.labelSize:0,Y=G+j;Y>0&&($?(oe-=Y,F==3?(Le+=Y,S=!0):v=!0):(q-=Y,F==0?(tt+=Y,g=!0):y=!0))}}),Hi[0]=g,Hi[1]=v,Hi[2]=y,Hi[3]=S,oe-=oi[1]+oi[3],Le+=oi[3],q-=oi[2]+oi[0],tt+=oi[0]}function IL(){let g=Le+oe,y=tt+q,v=Le,S=tt;function L(C,F){switch(C){case 1:return g+=F,g-F;case 2:return y+=F,y-F;case 3:return v-=F,v+F;case 0:return S-=F,S+F}}x.forEach((C,F)=>{if(C.show&&C._show){let G=C.side;C._pos=L(G,C._size),C.label!=null&&(C._lpos=L(G,C.labelSize))}})}if(K.dataIdx==null){let g=K.hover,y=g.skip=new Set(g.skip??[]);y.add(void 0);let v=g.prox=ue(g.prox),S=g.bias??=0;K.dataIdx=(L,C,F,G)=>{if(C==0)return F;let $=F,j=v(L,C,F,G)??Pe,Y=j>=0&&j<Pe,X=R.ori==0?oe:q,se=K.left,me=e[0],he=e[C];if(y.has(he[F])){$=null;let ce=null,ne=null,Q;if(S==0||S==-1)for(Q=F;ce==null&&Q-- >0;)y.has(he[Q])||(ce=Q);if(S==0||S==1)for(Q=F;ne==null&&Q++<he.length;)y.has(he[Q])||(ne=Q);if(ce!=null||ne!=null)if(Y){let Be=ce==null?-1/0:O(me[ce],R,X,0),Ge=ne==null?1/0:O(me[ne],R,X,0),ft=se-Be,Ee=Ge-se;ft<=Ee?ft<=j&&($=ce):Ee<=j&&($=ne)}else $=ne==null?ce:ce==null?ne:F-ce<=ne-F?ce:ne}else Y&&nt(se-O(me[F],R,X,0))>j&&($=null);return $}}let ji=g=>{K.event=g};K.idxs=ve,K._lock=!1;let _t=K.points;_t.show=ue(_t.show),_t.size=ue(_t.size),_t.stroke=ue(_t.stroke),_t.width=ue(_t.width),_t.fill=ue(_t.fill);let on=n.focus=Ze({},r.focus||{alpha:.3},K.focus),Js=on.prox>=0,eo=Js&&_t.one,yr=[],to=[],ro=[];function H_(g,y){let v=_t.show(n,y);if(v instanceof HTMLElement)return Jt(v,gM),Jt(v,g.class),fn(v,-10,-10,oe,q),p.insertBefore(v,yr[y]),v}function Y_(g,y){if(i==1||y>0){let v=i==1&&E[g.scale].time,S=g.value;g.value=v?z0(S)?Y0(Z,H0(S,H)):S||le:S||CC,g.label=g.label||(v?vC:wC)}if(eo||y>0){g.width=g.width==null?1:g.width,g.paths=g.paths||WC||kM,g.fillTo=ue(g.fillTo||OC),g.pxAlign=+pe(g.pxAlign,m),g.pxRound=rx(g.pxAlign),g.stroke=ue(g.stroke||null),g.fill=ue(g.fill||null),g._stroke=g._fill=g._paths=g._focus=null;let v=RC(Bt(1,g.width),1),S=g.points=Ze({},{size:v,width:Bt(1,v*.2),stroke:g.stroke,space:v*2,paths:jC,_stroke:null,_fill:null},g.points);S.show=ue(S.show),S.filter=ue(S.filter),S.fill=ue(S.fill),S.stroke=ue(S.stroke),S.paths=ue(S.paths),S.pxAlign=g.pxAlign}if(et){let v=uu(g,y);Fe.splice(y,0,v[0]),nn.splice(y,0,v[1]),ae.values.push(null)}if(Lt){ve.splice(y,0,null);let v=null;eo?y==0&&(v=H_(g,y)):y>0&&(v=H_(g,y)),yr.splice(y,0,v),to.splice(y,0,0),ro.splice(y,0,0)}ut("addSeries",y)}function BL(g,y){y=y??_.length,g=i==1?Mp(g,y,X0,ex):Mp(g,y,{},J0),_.splice(y,0,g),Y_(_[y],y)}n.addSeries=BL;function kL(g){if(_.splice(g,1),et){ae.values.splice(g,1),nn.splice(g,1);let y=Fe.splice(g,1)[0];Zs(null,y.firstChild),y.remove()}Lt&&(ve.splice(g,1),yr.splice(g,1)[0].remove(),to.splice(g,1),ro.splice(g,1)),ut("delSeries",g)}n.delSeries=kL;let Hi=[!1,!1,!1,!1];function OL(g,y){if(g._show=g.show,g.show){let v=g.side%2,S=E[g.scale];S==null&&(g.scale=v?_[1].scale:A,S=E[g.scale]);let L=S.time;g.size=ue(g.size),g.space=ue(g.space),g.rotate=ue(g.rotate),fi(g.incrs)&&g.incrs.forEach(F=>{!di.has(F)&&di.set(F,mx(F))}),g.incrs=ue(g.incrs||(S.distr==2?rC:L?w==1?iC:aC:Ki)),g.splits=ue(g.splits||(L&&S.distr==1?qe:S.distr==3?Tp:S.distr==4?TC:SC)),g.stroke=ue(g.stroke),g.grid.stroke=ue(g.grid.stroke),g.ticks.stroke=ue(g.ticks.stroke),g.border.stroke=ue(g.border.stroke);let C=g.values;g.values=fi(C)&&!fi(C[0])?ue(C):L?fi(C)?j0(Z,W0(C,H)):z0(C)?uC(Z,C):C||we:C||EC,g.filter=ue(g.filter||(S.distr>=3&&S.log==10?LC:S.distr==3&&S.log==2?MC:hx)),g.font=ox(g.font),g.labelFont=ox(g.labelFont),g._size=g.size(n,null,y,0),g._space=g._rotate=g._incrs=g._found=g._splits=g._values=null,g._size>0&&(Hi[y]=!0,g._el=wr(dM,d))}}function ka(g,y,v,S){let[L,C,F,G]=v,$=y%2,j=0;return $==0&&(G||C)&&(j=y==0&&!L||y==2&&!F?rt(q0.size/3):0),$==1&&(L||F)&&(j=y==1&&!C||y==3&&!G?rt(K0.size/2):0),j}let q_=n.padding=(r.padding||[ka,ka,ka,ka]).map(g=>ue(pe(g,ka))),oi=n._padding=q_.map((g,y)=>g(n,y,Hi,0)),gt,ot=null,at=null,hu=i==1?_[0].idxs:null,Fr=null,Oa=!1;function X_(g,y){if(e=g??[],n.data=n._data=e,i==2){gt=0;for(let v=1;v<_.length;v++)gt+=e[v][0].length}else{e.length==0&&(n.data=n._data=e=[[]]),Fr=e[0],gt=Fr.length;let v=e;if(U==2){v=e.slice();let S=v[0]=Array(gt);for(let L=0;L<gt;L++)S[L]=L}n._data=e=v}if(io(!0),ut("setData"),U==2&&(Qs=!0),y!==!1){let v=R;v.auto(n,Oa)?Hh():ci(A,v.min,v.max),Wi=Wi||K.left>=0,br=!0,so()}}n.setData=X_;function Hh(){Oa=!0;let g,y;i==1&&(gt>0?(ot=hu[0]=0,at=hu[1]=gt-1,g=e[0][ot],y=e[0][at],U==2?(g=ot,y=at):g==y&&(U==3?[g,y]=Lu(g,g,R.log,!1):U==4?[g,y]=Bp(g,g,R.log,!1):R.time?y=g+rt(86400/w):[g,y]=Tu(g,y,kp,!0))):(ot=hu[0]=g=null,at=hu[1]=y=null)),ci(A,g,y)}let pu,no,Yh,qh,Xh,Zh,Kh,Qh,Jh,Vt;function Z_(g,y,v,S,L,C){g??=E0,v??=Dp,S??="butt",L??=E0,C??="round",g!=pu&&(f.strokeStyle=pu=g),L!=no&&(f.fillStyle=no=L),y!=Yh&&(f.lineWidth=Yh=y),C!=Xh&&(f.lineJoin=Xh=C),S!=Zh&&(f.lineCap=Zh=S),v!=qh&&f.setLineDash(qh=v)}function K_(g,y,v,S){y!=no&&(f.fillStyle=no=y),g!=Kh&&(f.font=Kh=g),v!=Qh&&(f.textAlign=Qh=v),S!=Jh&&(f.textBaseline=Jh=S)}function ep(g,y,v,S,L=0){if(S.length>0&&g.auto(n,Oa)&&(y==null||y.min==null)){let C=pe(ot,0),F=pe(at,S.length-1),G=v.min==null?LM(S,C,F,L,g.distr==3):[v.min,v.max];g.min=Vr(g.min,v.min=G[0]),g.max=Bt(g.max,v.max=G[1])}}let Q_={min:null,max:null};function DL(){for(let S in E){let L=E[S];W[S]==null&&(L.min==null||W[A]!=null&&L.auto(n,Oa))&&(W[S]=Q_)}for(let S in E){let L=E[S];W[S]==null&&L.from!=null&&W[L.from]!=null&&(W[S]=Q_)}W[A]!=null&&io(!0);let g={};for(let S in W){let L=W[S];if(L!=null){let C=g[S]=_o(E[S],NM);if(L.min!=null)Ze(C,L);else if(S!=A||i==2)if(gt==0&&C.from==null){let F=C.range(n,null,null,S);C.min=F[0],C.max=F[1]}else C.min=Pe,C.max=-Pe}}if(gt>0){_.forEach((S,L)=>{if(i==1){let C=S.scale,F=W[C];if(F==null)return;let G=g[C];if(L==0){let $=G.range(n,G.min,G.max,C);G.min=$[0],G.max=$[1],ot=$r(G.min,e[0]),at=$r(G.max,e[0]),at-ot>1&&(e[0][ot]<G.min&&ot++,e[0][at]>G.max&&at--),S.min=Fr[ot],S.max=Fr[at]}else S.show&&S.auto&&ep(G,F,S,e[L],S.sorted);S.idxs[0]=ot,S.idxs[1]=at}else if(L>0&&S.show&&S.auto){let[C,F]=S.facets,G=C.scale,$=F.scale,[j,Y]=e[L],X=g[G],se=g[$];X!=null&&ep(X,W[G],C,j,C.sorted),se!=null&&ep(se,W[$],F,Y,F.sorted),S.min=F.min,S.max=F.max}});for(let S in g){let L=g[S],C=W[S];if(L.from==null&&(C==null||C.min==null)){let F=L.range(n,L.min==Pe?null:L.min,L.max==-Pe?null:L.max,S);L.min=F[0],L.max=F[1]}}}for(let S in g){let L=g[S];if(L.from!=null){let C=g[L.from];if(C.min==null)L.min=L.max=null;else{let F=L.range(n,C.min,C.max,S);L.min=F[0],L.max=F[1]}}}let y={},v=!1;for(let S in g){let L=g[S],C=E[S];if(C.min!=L.min||C.max!=L.max){C.min=L.min,C.max=L.max;let F=C.distr;C._min=F==3?Gn(C.min):F==4?gp(C.min,C.asinh):F==100?C.fwd(C.min):C.min,C._max=F==3?Gn(C.max):F==4?gp(C.max,C.asinh):F==100?C.fwd(C.max):C.max,y[S]=v=!0}}if(v){_.forEach((S,L)=>{i==2?L>0&&y.y&&(S._paths=null):y[S.scale]&&(S._paths=null)});for(let S in y)Qs=!0,ut("setScale",S);Lt&&K.left>=0&&(Wi=br=!0)}for(let S in W)W[S]=null}function NL(g){let y=Sp(ot-1,0,gt-1),v=Sp(at+1,0,gt-1);for(;g[y]==null&&y>0;)y--;for(;g[v]==null&&v<gt-1;)v++;return[y,v]}function FL(){if(gt>0){let g=_.some(y=>y._focus)&&Vt!=on.alpha;g&&(f.globalAlpha=Vt=on.alpha),_.forEach((y,v)=>{if(v>0&&y.show&&(J_(v,!1),J_(v,!0),y._paths==null)){let S=Vt;Vt!=y.alpha&&(f.globalAlpha=Vt=y.alpha);let L=i==2?[0,e[v][0].length-1]:NL(e[v]);y._paths=y.paths(n,v,L[0],L[1]),Vt!=S&&(f.globalAlpha=Vt=S)}}),_.forEach((y,v)=>{if(v>0&&y.show){let S=Vt;Vt!=y.alpha&&(f.globalAlpha=Vt=y.alpha),y._paths!=null&&e0(v,!1);{let L=y._paths!=null?y._paths.gaps:null,C=y.points.show(n,v,ot,at,L),F=y.points.filter(n,v,C,L);(C||F)&&(y.points._paths=y.points.paths(n,v,ot,at,F),e0(v,!0))}Vt!=S&&(f.globalAlpha=Vt=S),ut("drawSeries",v)}}),g&&(f.globalAlpha=Vt=1)}}function J_(g,y){let v=y?_[g].points:_[g];v._stroke=v.stroke(n,g),v._fill=v.fill(n,g)}function e0(g,y){let v=y?_[g].points:_[g],{stroke:S,fill:L,clip:C,flags:F,_stroke:G=v._stroke,_fill:$=v._fill,_width:j=v.width}=v._paths;j=Ae(j*ge,3);let Y=null,X=j%2/2;y&&$==null&&($=j>0?"#fff":G);let se=v.pxAlign==1&&X>0;if(se&&f.translate(X,X),!y){let me=Xt-j/2,he=gr-j/2,ce=$t+j,ne=Nr+j;Y=new Path2D,Y.rect(me,he,ce,ne)}y?tp(G,j,v.dash,v.cap,$,S,L,F,C):UL(g,G,j,v.dash,v.cap,$,S,L,F,Y,C),se&&f.translate(-X,-X)}function UL(g,y,v,S,L,C,F,G,$,j,Y){let X=!1;$!=0&&T.forEach((se,me)=>{if(se.series[0]==g){let he=_[se.series[1]],ce=e[se.series[1]],ne=(he._paths||Ha).band;fi(ne)&&(ne=se.dir==1?ne[0]:ne[1]);let Q,Be=null;he.show&&ne&&CM(ce,ot,at)?(Be=se.fill(n,me)||C,Q=he._paths.clip):ne=null,tp(y,v,S,L,Be,F,G,$,j,Y,Q,ne),X=!0}}),X||tp(y,v,S,L,C,F,G,$,j,Y)}let t0=xo|Ap;function tp(g,y,v,S,L,C,F,G,$,j,Y,X){Z_(g,y,v,S,L),($||j||X)&&(f.save(),$&&f.clip($),j&&f.clip(j)),X?(G&t0)==t0?(f.clip(X),Y&&f.clip(Y),gu(L,F),mu(g,C,y)):G&Ap?(gu(L,F),f.clip(X),mu(g,C,y)):G&xo&&(f.save(),f.clip(X),Y&&f.clip(Y),gu(L,F),f.restore(),mu(g,C,y)):(gu(L,F),mu(g,C,y)),($||j||X)&&f.restore()}function mu(g,y,v){v>0&&(y instanceof Map?y.forEach((S,L)=>{f.strokeStyle=pu=L,f.stroke(S)}):y!=null&&g&&f.stroke(y))}function gu(g,y){y instanceof Map?y.forEach((v,S)=>{f.fillStyle=no=S,f.fill(v)}):y!=null&&g&&f.fill(y)}function zL(g,y,v,S){let L=x[g],C;if(S<=0)C=[0,0];else{let F=L._space=L.space(n,g,y,v,S),G=L._incrs=L.incrs(n,g,y,v,S,F);C=KC(y,v,G,S,F)}return L._found=C}function rp(g,y,v,S,L,C,F,G,$,j){let Y=F%2/2;m==1&&f.translate(Y,Y),Z_(G,F,$,j,G),f.beginPath();let X,se,me,he,ce=L+(S==0||S==3?-C:C);v==0?(se=L,he=ce):(X=L,me=ce);for(let ne=0;ne<g.length;ne++)y[ne]!=null&&(v==0?X=me=g[ne]:se=he=g[ne],f.moveTo(X,se),f.lineTo(me,he));f.stroke(),m==1&&f.translate(-Y,-Y)}function GL(g){let y=!0;return x.forEach((v,S)=>{if(!v.show)return;let L=E[v.scale];if(L.min==null){v._show&&(y=!1,v._show=!1,io(!1));return}else v._show||(y=!1,v._show=!0,io(!1));let C=v.side,F=C%2,{min:G,max:$}=L,[j,Y]=zL(S,G,$,F==0?oe:q);if(Y==0)return;let X=L.distr==2,se=v._splits=v.splits(n,S,G,$,j,Y,X),me=L.distr==2?se.map(Q=>Fr[Q]):se,he=L.distr==2?Fr[se[1]]-Fr[se[0]]:j,ce=v._values=v.values(n,v.filter(n,me,S,Y,he),S,Y,he);v._rotate=C==2?v.rotate(n,ce,S,Y):0;let ne=v._size;v._size=vr(v.size(n,ce,S,g)),ne!=null&&v._size!=ne&&(y=!1)}),y}function $L(g){let y=!0;return q_.forEach((v,S)=>{let L=v(n,S,Hi,g);L!=oi[S]&&(y=!1),oi[S]=L}),y}function VL(){for(let g=0;g<x.length;g++){let y=x[g];if(!y.show||!y._show)continue;let v=y.side,S=v%2,L,C,F=y.stroke(n,g),G=v==0||v==3?-1:1,[$,j]=y._found;if(y.label!=null){let Rt=y.labelGap*G,Qt=rt((y._lpos+Rt)*ge);K_(y.labelFont[0],F,"center",v==2?"top":v0),f.save(),S==1?(L=C=0,f.translate(Qt,rt(gr+Nr/2)),f.rotate((v==3?-Eu:Eu)/2)):(L=rt(Xt+$t/2),C=Qt);let Xi=fx(y.label)?y.label(n,g,$,j):y.label;f.fillText(Xi,L,C),f.restore()}if(j==0)continue;let Y=E[y.scale],X=S==0?$t:Nr,se=S==0?Xt:gr,me=y._splits,he=Y.distr==2?me.map(Rt=>Fr[Rt]):me,ce=Y.distr==2?Fr[me[1]]-Fr[me[0]]:$,ne=y.ticks,Q=y.border,Be=ne.show?ne.size:0,Ge=rt(Be*ge),ft=rt((y.alignTo==2?y._size-Be-y.gap:y.gap)*ge),Ee=y._rotate*-Eu/180,$e=b(y._pos*ge),Zt=(Ge+ft)*G,Ct=$e+Zt;C=S==0?Ct:0,L=S==1?Ct:0;let _r=y.font[0],Ur=y.align==1?po:y.align==2?hp:Ee>0?po:Ee<0?hp:S==0?"center":v==3?hp:po,ln=Ee||S==1?"middle":v==2?"top":v0;K_(_r,F,Ur,ln);let Kt=y.font[1]*y.lineGap,xr=me.map(Rt=>b(a(Rt,Y,X,se))),zr=y._values;for(let Rt=0;Rt<zr.length;Rt++){let Qt=zr[Rt];if(Qt!=null){S==0?L=xr[Rt]:C=xr[Rt],Qt=""+Qt;let Xi=Qt.indexOf(`
`)==-1?[Qt]:Qt.split(/\n/gm);for(let It=0;It<Xi.length;It++){let x0=Xi[It];Ee?(f.save(),f.translate(L,C+It*Kt),f.rotate(Ee),f.fillText(x0,0,0),f.restore()):f.fillText(x0,L,C+It*Kt)}}}ne.show&&rp(xr,ne.filter(n,he,g,j,ce),S,v,$e,Ge,Ae(ne.width*ge,3),ne.stroke(n,g),ne.dash,ne.cap);let un=y.grid;un.show&&rp(xr,un.filter(n,he,g,j,ce),S,S==0?2:1,S==0?gr:Xt,S==0?Nr:$t,Ae(un.width*ge,3),un.stroke(n,g),un.dash,un.cap),Q.show&&rp([$e],[1],S==0?1:0,S==0?1:2,S==1?gr:Xt,S==1?Nr:$t,Ae(Q.width*ge,3),Q.stroke(n,g),Q.dash,Q.cap)}ut("drawAxes")}function io(g){_.forEach((y,v)=>{v>0&&(y._paths=null,g&&(i==1?(y.min=null,y.max=null):y.facets.forEach(S=>{S.min=null,S.max=null})))})}let bu=!1,np=!1,Da=[];function WL(){np=!1;for(let g=0;g<Da.length;g++)ut(...Da[g]);Da.length=0}function so(){bu||(WM(r0),bu=!0)}function jL(g,y=!1){bu=!0,np=y,g(n),r0(),y&&Da.length>0&&queueMicrotask(WL)}n.batch=jL;function r0(){if(Wh&&(DL(),Wh=!1),Qs&&(ML(),Qs=!1),fu){if(ke(h,po,Le),ke(h,"top",tt),ke(h,$a,oe),ke(h,Va,q),ke(p,po,Le),ke(p,"top",tt),ke(p,$a,oe),ke(p,Va,q),ke(d,$a,Fn),ke(d,Va,Gi),u.width=rt(Fn*ge),u.height=rt(Gi*ge),x.forEach(({_el:g,_show:y,_size:v,_pos:S,side:L})=>{if(g!=null)if(y){let C=L===3||L===0?v:0,F=L%2==1;ke(g,F?"left":"top",S-C),ke(g,F?"width":"height",v),ke(g,F?"top":"left",F?tt:Le),ke(g,F?"height":"width",F?q:oe),vp(g,Qi)}else Jt(g,Qi)}),pu=no=Yh=Xh=Zh=Kh=Qh=Jh=qh=null,Vt=1,Ua(!0),Le!=Ks||tt!=$i||oe!=sn||q!=Vi){io(!1);let g=oe/sn,y=q/Vi;if(Lt&&!Wi&&K.left>=0){K.left*=g,K.top*=y,oo&&fn(oo,rt(K.left),0,oe,q),ao&&fn(ao,0,rt(K.top),oe,q);for(let v=0;v<yr.length;v++){let S=yr[v];S!=null&&(to[v]*=g,ro[v]*=y,fn(S,vr(to[v]),vr(ro[v]),oe,q))}}if(Ie.show&&!du&&Ie.left>=0&&Ie.width>0){Ie.left*=g,Ie.width*=g,Ie.top*=y,Ie.height*=y;for(let v in lp)ke(uo,v,Ie[v])}Ks=Le,$i=tt,sn=oe,Vi=q}ut("setSize"),fu=!1}Fn>0&&Gi>0&&(f.clearRect(0,0,u.width,u.height),ut("drawClear"),D.forEach(g=>g()),ut("draw")),Ie.show&&du&&(yu(Ie),du=!1),Lt&&Wi&&(qi(null,!0,!1),Wi=!1),ae.show&&ae.live&&br&&(ap(),br=!1),c||(c=!0,n.status=1,ut("ready")),Oa=!1,bu=!1}n.redraw=(g,y)=>{Qs=y||!1,g!==!1?ci(A,R.min,R.max):so()};function ip(g,y){let v=E[g];if(v.from==null){if(gt==0){let S=v.range(n,y.min,y.max,g);y.min=S[0],y.max=S[1]}if(y.min>y.max){let S=y.min;y.min=y.max,y.max=S}if(gt>1&&y.min!=null&&y.max!=null&&y.max-y.min<1e-16)return;g==A&&v.distr==2&&gt>0&&(y.min=$r(y.min,e[0]),y.max=$r(y.max,e[0]),y.min==y.max&&y.max++),W[g]=y,Wh=!0,so()}}n.setScale=ip;let sp,op,oo,ao,n0,i0,co,lo,s0,o0,Re,Ne,ai=!1,bt=K.drag,ct=bt.x,lt=bt.y;Lt&&(K.x&&(sp=wr(pM,p)),K.y&&(op=wr(mM,p)),R.ori==0?(oo=sp,ao=op):(oo=op,ao=sp),Re=K.left,Ne=K.top);let Ie=n.select=Ze({show:!0,over:!0,left:0,width:0,top:0,height:0},r.select),uo=Ie.show?wr(hM,Ie.over?p:h):null;function yu(g,y){if(Ie.show){for(let v in g)Ie[v]=g[v],v in lp&&ke(uo,v,g[v]);y!==!1&&ut("setSelect")}}n.setSelect=yu;function HL(g){if(_[g].show)et&&vp(Fe[g],Qi);else if(et&&Jt(Fe[g],Qi),Lt){let v=eo?yr[0]:yr[g];v!=null&&fn(v,-10,-10,oe,q)}}function ci(g,y,v){ip(g,{min:y,max:v})}function an(g,y,v,S){y.focus!=null&&KL(g),y.show!=null&&_.forEach((L,C)=>{C>0&&(g==C||g==null)&&(L.show=y.show,HL(C),i==2?(ci(L.facets[0].scale,null,null),ci(L.facets[1].scale,null,null)):ci(L.scale,null,null),so())}),v!==!1&&ut("setSeries",g,y),S&&za("setSeries",n,g,y)}n.setSeries=an;function YL(g,y){Ze(T[g],y)}function qL(g,y){g.fill=ue(g.fill||null),g.dir=pe(g.dir,-1),y=y??T.length,T.splice(y,0,g)}function XL(g){g==null?T.length=0:T.splice(g,1)}n.addBand=qL,n.setBand=YL,n.delBand=XL;function ZL(g,y){_[g].alpha=y,Lt&&yr[g]!=null&&(yr[g].style.opacity=y),et&&Fe[g]&&(Fe[g].style.opacity=y)}let Un,li,Yi,fo={focus:!0};function KL(g){if(g!=Yi){let y=g==null,v=on.alpha!=1;_.forEach((S,L)=>{if(i==1||L>0){let C=y||L==0||L==g;S._focus=y?null:C,v&&ZL(L,C?1:on.alpha)}}),Yi=g,v&&so()}}et&&Js&&Mt(P0,ye,g=>{K._lock||(ji(g),Yi!=null&&an(null,fo,!0,Xe.setSeries))});function cn(g,y,v){let S=E[y];v&&(g=g/ge-(S.ori==1?tt:Le));let L=oe;S.ori==1&&(L=q,g=L-g),S.dir==-1&&(g=L-g);let C=S._min,F=S._max,G=g/L,$=C+(F-C)*G,j=S.distr;return j==3?bo(10,$):j==4?IM($,S.asinh):j==100?S.bwd($):$}function QL(g,y){let v=cn(g,A,y);return $r(v,e[0],ot,at)}n.valToIdx=g=>$r(g,e[0]),n.posToIdx=QL,n.posToVal=cn,n.valToPos=(g,y,v)=>E[y].ori==0?s(g,E[y],v?$t:oe,v?Xt:0):o(g,E[y],v?Nr:q,v?gr:0),n.setCursor=(g,y,v)=>{Re=g.left,Ne=g.top,qi(null,y,v)};function a0(g,y){ke(uo,po,Ie.left=g),ke(uo,$a,Ie.width=y)}function c0(g,y){ke(uo,"top",Ie.top=g),ke(uo,Va,Ie.height=y)}let Na=R.ori==0?a0:c0,Fa=R.ori==1?a0:c0;function JL(){if(et&&ae.live)for(let g=i==2?1:0;g<_.length;g++){if(g==0&&mr)continue;let y=ae.values[g],v=0;for(let S in y)nn[g][v++].firstChild.nodeValue=y[S]}}function ap(g,y){if(g!=null&&(g.idxs?g.idxs.forEach((v,S)=>{ve[S]=v}):DM(g.idx)||ve.fill(g.idx),ae.idx=ve[0]),et&&ae.live){for(let v=0;v<_.length;v++)(v>0||i==1&&!mr)&&eM(v,ve[v]);JL()}br=!1,y!==!1&&ut("setLegend")}n.setLegend=ap;function eM(g,y){let v=_[g],S=g==0&&U==2?Fr:e[g],L;mr?L=v.values(n,g,y)??si:(L=v.value(n,y==null?null:S[y],g,y),L=L==null?si:{_:L}),ae.values[g]=L}function qi(g,y,v){s0=Re,o0=Ne,[Re,Ne]=K.move(n,Re,Ne),K.left=Re,K.top=Ne,Lt&&(oo&&fn(oo,rt(Re),0,oe,q),ao&&fn(ao,0,rt(Ne),oe,q));let S,L=ot>at;Un=Pe,li=null;let C=R.ori==0?oe:q,F=R.ori==1?oe:q;if(Re<0||gt==0||L){S=K.idx=null;for(let G=0;G<_.length;G++){let $=yr[G];$!=null&&fn($,-10,-10,oe,q)}Js&&an(null,fo,!0,g==null&&Xe.setSeries),ae.live&&(ve.fill(S),br=!0)}else{let G,$,j;i==1&&(G=R.ori==0?Re:Ne,$=cn(G,A),S=K.idx=$r($,e[0],ot,at),j=O(e[0][S],R,C,0));let Y=-10,X=-10,se=0,me=0,he=!0,ce="",ne="";for(let Q=i==2?1:0;Q<_.length;Q++){let Be=_[Q],Ge=ve[Q],ft=Ge==null?null:i==1?e[Q][Ge]:e[Q][1][Ge],Ee=K.dataIdx(n,Q,S,$),$e=Ee==null?null:i==1?e[Q][Ee]:e[Q][1][Ee];if(br=br||$e!=ft||Ee!=Ge,ve[Q]=Ee,Q>0&&Be.show){let Zt=Ee==null?-10:Ee==S?j:O(i==1?e[0][Ee]:e[Q][0][Ee],R,C,0),Ct=$e==null?-10:z($e,i==1?E[Be.scale]:E[Be.facets[1].scale],F,0);if(Js&&$e!=null){let _r=R.ori==1?Re:Ne,Ur=nt(on.dist(n,Q,Ee,Ct,_r));if(Ur<Un){let ln=on.bias;if(ln!=0){let Kt=cn(_r,Be.scale),xr=$e>=0?1:-1,zr=Kt>=0?1:-1;zr==xr&&(zr==1?ln==1?$e>=Kt:$e<=Kt:ln==1?$e<=Kt:$e>=Kt)&&(Un=Ur,li=Q)}else Un=Ur,li=Q}}if(br||eo){let _r,Ur;R.ori==0?(_r=Zt,Ur=Ct):(_r=Ct,Ur=Zt);let ln,Kt,xr,zr,un,Rt,Qt=!0,Xi=_t.bbox;if(Xi!=null){Qt=!1;let It=Xi(n,Q);xr=It.left,zr=It.top,ln=It.width,Kt=It.height}else xr=_r,zr=Ur,ln=Kt=_t.size(n,Q);if(Rt=_t.fill(n,Q),un=_t.stroke(n,Q),eo)Q==li&&Un<=on.prox&&(Y=xr,X=zr,se=ln,me=Kt,he=Qt,ce=Rt,ne=un);else{let It=yr[Q];It!=null&&(to[Q]=xr,ro[Q]=zr,B0(It,ln,Kt,Qt),R0(It,Rt,un),fn(It,vr(xr),vr(zr),oe,q))}}}}if(eo){let Q=on.prox,Be=Yi==null?Un<=Q:Un>Q||li!=Yi;if(br||Be){let Ge=yr[0];Ge!=null&&(to[0]=Y,ro[0]=X,B0(Ge,se,me,he),R0(Ge,ce,ne),fn(Ge,vr(Y),vr(X),oe,q))}}}if(Ie.show&&ai)if(g!=null){let[G,$]=Xe.scales,[j,Y]=Xe.match,[X,se]=g.cursor.sync.scales,me=g.cursor.drag;if(ct=me._x,lt=me._y,ct||lt){let{left:he,top:ce,width:ne,height:Q}=g.select,Be=g.scales[X].ori,Ge=g.posToVal,ft,Ee,$e,Zt,Ct,_r=G!=null&&j(G,X),Ur=$!=null&&Y($,se);_r&&ct?(Be==0?(ft=he,Ee=ne):(ft=ce,Ee=Q),$e=E[G],Zt=O(Ge(ft,X),$e,C,0),Ct=O(Ge(ft+Ee,X),$e,C,0),Na(Vr(Zt,Ct),nt(Ct-Zt))):Na(0,C),Ur&&lt?(Be==1?(ft=he,Ee=ne):(ft=ce,Ee=Q),$e=E[$],Zt=z(Ge(ft,se),$e,F,0),Ct=z(Ge(ft+Ee,se),$e,F,0),Fa(Vr(Zt,Ct),nt(Ct-Zt))):Fa(0,F)}else up()}else{let G=nt(s0-n0),$=nt(o0-i0);if(R.ori==1){let se=G;G=$,$=se}ct=bt.x&&G>=bt.dist,lt=bt.y&&$>=bt.dist;let j=bt.uni;j!=null?ct&&lt&&(ct=G>=j,lt=$>=j,!ct&&!lt&&($>G?lt=!0:ct=!0)):bt.x&&bt.y&&(ct||lt)&&(ct=lt=!0);let Y,X;ct&&(R.ori==0?(Y=co,X=Re):(Y=lo,X=Ne),Na(Vr(Y,X),nt(X-Y)),lt||Fa(0,F)),lt&&(R.ori==1?(Y=co,X=Re):(Y=lo,X=Ne),Fa(Vr(Y,X),nt(X-Y)),ct||Na(0,C)),!ct&&!lt&&(Na(0,0),Fa(0,0))}if(bt._x=ct,bt._y=lt,g==null){if(v){if(_0!=null){let[G,$]=Xe.scales;Xe.values[0]=G!=null?cn(R.ori==0?Re:Ne,G):null,Xe.values[1]=$!=null?cn(R.ori==1?Re:Ne,$):null}za(pp,n,Re,Ne,oe,q,S)}if(Js){let G=v&&Xe.setSeries,$=on.prox;Yi==null?Un<=$&&an(li,fo,!0,G):Un>$?an(null,fo,!0,G):li!=Yi&&an(li,fo,!0,G)}}br&&(ae.idx=S,ap()),y!==!1&&ut("setCursor")}let ui=null;Object.defineProperty(n,"rect",{get(){return ui==null&&Ua(!1),ui}});function Ua(g=!1){g?ui=null:(ui=p.getBoundingClientRect(),ut("syncRect",ui))}function l0(g,y,v,S,L,C,F){K._lock||ai&&g!=null&&g.movementX==0&&g.movementY==0||(cp(g,y,v,S,L,C,F,!1,g!=null),g!=null?qi(null,!0,!0):qi(y,!0,!1))}function cp(g,y,v,S,L,C,F,G,$){if(ui==null&&Ua(!1),ji(g),g!=null)v=g.clientX-ui.left,S=g.clientY-ui.top;else{if(v<0||S<0){Re=-10,Ne=-10;return}let[j,Y]=Xe.scales,X=y.cursor.sync,[se,me]=X.values,[he,ce]=X.scales,[ne,Q]=Xe.match,Be=y.axes[0].side%2==1,Ge=R.ori==0?oe:q,ft=R.ori==1?oe:q,Ee=Be?C:L,$e=Be?L:C,Zt=Be?S:v,Ct=Be?v:S;if(he!=null?v=ne(j,he)?a(se,E[j],Ge,0):-10:v=Ge*(Zt/Ee),ce!=null?S=Q(Y,ce)?a(me,E[Y],ft,0):-10:S=ft*(Ct/$e),R.ori==1){let _r=v;v=S,S=_r}}$&&(y==null||y.cursor.event.type==pp)&&((v<=1||v>=oe-1)&&(v=Zi(v,oe)),(S<=1||S>=q-1)&&(S=Zi(S,q))),G?(n0=v,i0=S,[co,lo]=K.move(n,v,S)):(Re=v,Ne=S)}let lp={width:0,height:0,left:0,top:0};function up(){yu(lp,!1)}let u0,f0,d0,h0;function p0(g,y,v,S,L,C,F){ai=!0,ct=lt=bt._x=bt._y=!1,cp(g,y,v,S,L,C,F,!0,!1),g!=null&&(Mt(mp,xp,m0,!1),za(S0,n,co,lo,oe,q,null));let{left:G,top:$,width:j,height:Y}=Ie;u0=G,f0=$,d0=j,h0=Y}function m0(g,y,v,S,L,C,F){ai=bt._x=bt._y=!1,cp(g,y,v,S,L,C,F,!1,!0);let{left:G,top:$,width:j,height:Y}=Ie,X=j>0||Y>0,se=u0!=G||f0!=$||d0!=j||h0!=Y;if(X&&se&&yu(Ie),bt.setScale&&X&&se){let me=G,he=j,ce=$,ne=Y;if(R.ori==1&&(me=$,he=Y,ce=G,ne=j),ct&&ci(A,cn(me,A),cn(me+he,A)),lt)for(let Q in E){let Be=E[Q];Q!=A&&Be.from==null&&Be.min!=Pe&&ci(Q,cn(ce+ne,Q),cn(ce,Q))}up()}else K.lock&&(K._lock=!K._lock,qi(y,!0,g!=null));g!=null&&(Zs(mp,xp),za(mp,n,Re,Ne,oe,q,null))}function tM(g,y,v,S,L,C,F){if(K._lock)return;ji(g);let G=ai;if(ai){let $=!0,j=!0,Y=10,X,se;R.ori==0?(X=ct,se=lt):(X=lt,se=ct),X&&se&&($=Re<=Y||Re>=oe-Y,j=Ne<=Y||Ne>=q-Y),X&&$&&(Re=Re<co?0:oe),se&&j&&(Ne=Ne<lo?0:q),qi(null,!0,!0),ai=!1}Re=-10,Ne=-10,ve.fill(null),qi(null,!0,!0),G&&(ai=G)}function g0(g,y,v,S,L,C,F){K._lock||(ji(g),Hh(),up(),g!=null&&za(A0,n,Re,Ne,oe,q,null))}function b0(){x.forEach(QC),jh(n.width,n.height,!0)}Ji(Su,go,b0);let ho={};ho.mousedown=p0,ho.mousemove=l0,ho.mouseup=m0,ho.dblclick=g0,ho.setSeries=(g,y,v,S)=>{let L=Xe.match[2];v=L(n,y,v),v!=-1&&an(v,S,!0,!1)},Lt&&(Mt(S0,p,p0),Mt(pp,p,l0),Mt(T0,p,g=>{ji(g),Ua(!1)}),Mt(P0,p,tM),Mt(A0,p,g0),Lp.add(n),n.syncRect=Ua);let _u=n.hooks=r.hooks||{};function ut(g,y,v){np?Da.push([g,y,v]):g in _u&&_u[g].forEach(S=>{S.call(null,n,y,v)})}(r.plugins||[]).forEach(g=>{for(let y in g.hooks)_u[y]=(_u[y]||[]).concat(g.hooks[y])});let y0=(g,y,v)=>v,Xe=Ze({key:null,setSeries:!1,filters:{pub:F0,sub:F0},scales:[A,_[1]?_[1].scale:null],match:[U0,U0,y0],values:[null,null]},K.sync);Xe.match.length==2&&Xe.match.push(y0),K.sync=Xe;let _0=Xe.key,fp=Ox(_0);function za(g,y,v,S,L,C,F){Xe.filters.pub(g,y,v,S,L,C,F)&&fp.pub(g,y,v,S,L,C,F)}fp.sub(n);function rM(g,y,v,S,L,C,F){Xe.filters.sub(g,y,v,S,L,C,F)&&ho[g](null,y,v,S,L,C,F)}n.pub=rM;function nM(){fp.unsub(n),Lp.delete(n),zi.clear(),Ep(Su,go,b0),l.remove(),ye?.remove(),ut("destroy")}n.destroy=nM;function dp(){ut("init",r,e),X_(e||r.data,!1),W[A]?ip(A,W[A]):Hh(),du=Ie.show&&(Ie.width>0||Ie.height>0),Wi=br=!0,jh(r.width,r.height)}return _.forEach(Y_),x.forEach(OL),t?t instanceof HTMLElement?(t.appendChild(l),dp()):t(n,dp):dp(),n}dt.assign=Ze;dt.fmtNum=Op;dt.rangeNum=Tu;dt.rangeLog=Lu;dt.rangeAsinh=Bp;dt.orient=ts;dt.pxRatio=ge;dt.join=VM;dt.fmtDate=Np,dt.tzDate=eC;dt.sync=Ox;{dt.addGap=DC,dt.clipGaps=Ru;let r=dt.paths={points:Gx};r.linear=Vx,r.stepped=UC,r.bars=zC,r.spline=$C}var Yx=[[0,114,178],[213,94,0],[0,158,115],[204,121,167],[230,159,0],[86,180,233],[60,60,60],[148,103,60],[123,63,160],[150,160,30]],JC=[[86,170,232],[255,138,61],[47,201,155],[232,160,202],[247,194,78],[158,218,250],[216,219,224],[205,163,122],[187,143,224],[205,214,92]],Du=Yx.length,Ou=[[68,1,84],[72,40,120],[62,74,137],[49,104,142],[38,130,142],[31,158,137],[53,183,121],[110,206,88],[181,222,43],[253,231,37]],Er=()=>{let r=document.documentElement.dataset.theme;return r?r==="dark":matchMedia("(prefers-color-scheme: dark)").matches},Nu=()=>Er()?[110,118,129]:[176,182,189];function Vn(r){let e=Er()?JC:Yx;return r>=0&&r<e.length?e[r]:Nu()}function qa(r){if(!(r>=0))return Nu();let e=Math.min(r,1)*(Ou.length-1),t=Math.min(Math.floor(e),Ou.length-2),n=e-t;return[0,1,2].map(i=>Math.round(Ou[t][i]*(1-n)+Ou[t+1][i]*n))}var So=r=>`rgb(${r[0]} ${r[1]} ${r[2]})`;function qx(r){let e=Array.from(r.length>2e4?r.filter((o,a)=>a%7===0):r).filter(Number.isFinite);e.sort((o,a)=>o-a);let t=o=>e[Math.min(e.length-1,Math.floor(o*(e.length-1)))]??0,[n,i]=e.length>200?[t(.005),t(.995)]:[t(0),t(1)],s=new Float32Array(r.length);for(let o=0;o<r.length;o++)s[o]=Number.isFinite(r[o])?i>n?Math.max(0,Math.min(1,(r[o]-n)/(i-n))):.5:NaN;return{share:s,low:n,high:i}}function Xx(r,e){let n=new Float32Array(16384),i=c=>{let l=Math.max(0,Math.min(127,Math.floor(r[2*c]*128)));return Math.max(0,Math.min(127,Math.floor(r[2*c+1]*128)))*128+l};for(let c=0;c<e;c++)n[i(c)]++;let s=new Float32Array(16384),o=0;for(let c=0;c<128;c++)for(let l=0;l<128;l++){let u=0;for(let f=Math.max(0,c-1);f<=Math.min(127,c+1);f++)for(let d=Math.max(0,l-1);d<=Math.min(127,l+1);d++)u+=n[f*128+d];s[c*128+l]=u,o=Math.max(o,u)}let a=new Float32Array(e);for(let c=0;c<e;c++)a[c]=Math.log1p(s[i(c)])/Math.log1p(o||1);return a}function rr(r){return r.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,"�")}function B(r,e,...t){let n=document.createElement(r);for(let[i,s]of Object.entries(e))typeof s=="function"?n.addEventListener(i,s):s===!0?n.setAttribute(i,""):s!==!1&&s!=null&&n.setAttribute(i,String(s));return dn(n,t),n}function dn(r,e){for(let t of e)t==null||t===!1||r.append(t instanceof Node?t:document.createTextNode(rr(String(t))))}function nr(r,...e){r.replaceChildren(),dn(r,e)}function je(r){return B("bdi",{},r)}var ir=(r,e)=>`${r.toLocaleString("en")} ${e}${r===1?"":"s"}`;function Me(r){if(!Number.isFinite(r))return"–";let e=Math.abs(r);return r!==0&&(e<.001||e>=1e6)?r.toExponential(2):String(Number(r.toPrecision(4)))}var To=r=>{let e=100*r;return`${e>0&&e<.1?e.toFixed(2):e<10||e>99&&e<100?e.toFixed(1):e.toFixed(0)} %`};function Sr(r,e,t,n=[]){let i=(s,o,a)=>B(s,{class:n.includes(o)?"number":null,scope:s==="th"?"col":null},a);return B("div",{class:"scroll",tabindex:0,role:"region","aria-label":r},B("table",{},B("caption",{class:"unseen"},r),B("thead",{},B("tr",{},...e.map((s,o)=>i("th",o,s)))),B("tbody",{},...t.map(s=>B("tr",{},...s.map((o,a)=>i("td",a,o)))))))}var Zx=[];function eR(r){let{chart:e,box:t}=r;r.plot?.destroy();let n=Er()?"#c9d1d9":"#424a53",i=Er()?"#30363d":"#e3e6ea",s=[e.x],o=[{label:rr(e.xName)}],a=[];e.series.forEach((l,u)=>{let f=l.dashed?n:So(Vn(l.colour??u));l.low&&l.high&&(s.push(l.high,l.low),o.push({label:"",stroke:"transparent",points:{show:!1}},{label:"",stroke:"transparent",points:{show:!1}}),a.push({series:[s.length-2,s.length-1],fill:f.replace("rgb(","rgb(").replace(")"," / 0.16)")})),s.push(l.values),o.push({label:rr(l.name),stroke:f,width:l.bars?1:2,dash:l.dashed?[5,4]:void 0,points:{show:!l.bars&&e.x.length<=30&&!l.dashed,size:6,fill:f},fill:l.bars?f.replace(")"," / 0.28)"):void 0,paths:l.bars?dt.paths.stepped({align:1}):void 0})});let c={stroke:n,grid:{stroke:i,width:1},ticks:{stroke:i,width:1},font:"12px system-ui, sans-serif",labelFont:"12px system-ui, sans-serif",labelSize:18};r.plot=new dt({width:Math.max(240,t.clientWidth),height:230,legend:{show:!1},cursor:{show:!1},bands:a,scales:{x:{time:!1,distr:e.logX?3:1},y:{range:e.yRange?()=>e.yRange:void 0}},axes:[{...c,label:rr(e.xName),size:34,values:e.logX?(l,u)=>u.map(f=>f===null||![1,2,5].includes(Number(String(f)[0]))?"":String(f)):(l,u)=>u.map(Me)},{...c,label:rr(e.yName),size:52,values:(l,u)=>u.map(Me)}],series:o},s,t)}function Fu(r,e){let t=B("div",{class:"chart",role:"img","aria-label":`${r.title}: ${e}`}),n=B("ul",{class:"keys"},...r.series.map((o,a)=>{let c=B("span",{class:o.dashed?"dash":"dot","aria-hidden":"true"});return o.dashed||(c.dataset.colour=String(o.colour??a)),B("li",{},c,o.name)})),i=r.x.map((o,a)=>[Me(o),...r.series.map(c=>c.values[a]==null?"–":Me(c.values[a]))]),s=B("details",{},B("summary",{},"Numbers"),Sr(r.title,[r.xName,...r.series.map(o=>o.name)],i,[0,...r.series.map((o,a)=>a+1)]));return Zx.push({chart:r,box:t,plot:null}),B("figure",{},t,n,s)}function Xa(){for(let r of Zx)r.box.isConnected&&eR(r);document.querySelectorAll(".keys .dot").forEach(r=>r.style.backgroundColor=So(Vn(Number(r.dataset.colour))))}function Uu(r,e,t,n){let i=([o,a])=>B("option",{value:o,selected:o===t},a),s=B("select",{change:()=>n(s.value)});if(Array.isArray(e))s.append(...e.map(i));else for(let[o,a]of Object.entries(e))a.length&&s.append(B("optgroup",{label:o},...a.map(i)));return[B("label",{},B("span",{},r),s),s]}function tR(r,e,t,n){let i=B("div",{class:"buttons",role:"group","aria-label":r});for(let[s,o]of e)i.append(B("button",{type:"button","data-key":s,"aria-pressed":String(s===t),click:()=>{i.querySelectorAll("button").forEach(a=>a.setAttribute("aria-pressed",String(a.dataset.key===s))),n(s)}},o));return i}function Kx(r,e,t){let{about:n}=r,i=n.n_components>3&&n.views.find(M=>M.key==="layout")||n.views[0],s=!1,o=[0,1,2],a=B("div",{class:"tools axes"}),c=B("p",{class:"hint"}),l=()=>{nr(a);let M=i.axes.map((R,U)=>[String(U),R.name??`axis ${U+1}`]);i.key==="layout"||M.length<2||["Across","Up","Deep"].slice(0,s?3:2).forEach((R,U)=>{let[O]=Uu(R,M,String(o[U]),z=>{o[U]=Number(z),u()});a.append(O)})},u=()=>(c.textContent=i.about,e.show(i,o,s)),f=[];for(let M of n.views)f.push([M.key,M.name]),M.axes.length>2&&f.push([`${M.key}:3`,`${M.name} 3-D`]);let[d]=Uu("View",f,i.key,M=>{let[R,U]=M.split(":");i=n.views.find(O=>O.key===R)??i,s=U==="3",o=[0,1,2],l(),u()}),h=n.words.map((M,R)=>[`word:${R}`,M.name]),p=M=>n.numbers.map((R,U)=>[[`number:${U}`,R.name],R.group]).filter(([,R])=>R===M).map(([R])=>R),m={"The picture":[["dataset","dataset"],["density","density"]],Words:h,Trust:p("trust"),Given:p("given"),Features:p("feature")},b=h.length?"word:0":"dataset",[w]=Uu("Colour",m,b,M=>{e.colour(M)}),_=[["none","none"]];n.pairs.shown&&_.push(["known","known pairs"]),n.partners.length&&(_.push(["matched","matched pairs"]),(n.pairs.shown||n.truth.shown)&&_.push(["wrong","wrong matches"]));let[x]=Uu("Lines",_,"none",M=>{e.lines(M).then(R=>t(R))}),E=tR("What dragging does",[["pan","Move"],["box","Box"],["lasso","Lasso"]],"pan",M=>{e.mode=M,e.element.dataset.mode=M}),T=B("div",{class:"buttons zooms",role:"group","aria-label":"Zoom"},B("button",{type:"button","aria-label":"Zoom in",click:()=>e.zoom(1.4)},"+"),B("button",{type:"button","aria-label":"Zoom out",click:()=>e.zoom(1/1.4)},"−"),B("button",{type:"button",click:()=>e.home()},"Reset")),A=B("div",{class:"tools"},d,w,x,E),I=B("div",{class:"controls"},A,a,c);if(n.datasets.length>1){let M=B("div",{class:"tools sets",role:"group","aria-label":"Datasets shown"});n.datasets.forEach((R,U)=>{let O=B("input",{type:"checkbox",checked:!0,change:()=>e.toggle(U,O.checked)});M.append(B("label",{class:"check"},O,je(R.name)))}),I.insertBefore(M,a),e.scene.hasBefore()&&M.append(rR(e))}let D=B("div",{class:"legend","aria-live":"polite"});e.onLegend=M=>nR(D,M),l();let N=e.colour(b).then(u);return{element:I,zooms:T,legend:D,ready:N}}function rR(r){let e=B("input",{type:"range",min:0,max:100,value:100,"aria-label":"From the datasets before alignment to the joint space after"});e.addEventListener("input",()=>{r.setBlend(Number(e.value)/100)});let t=0,n=matchMedia("(prefers-reduced-motion: reduce)"),i=B("button",{type:"button"},"Play");return i.addEventListener("click",async()=>{t++;let s=t,o=u=>(e.value=String(Math.round(100*u)),r.setBlend(u)),a=Number(e.value)>50?0:1;if(n.matches)return void o(a);await o(0);let c=performance.now()+500,l=async u=>{if(s!==t)return;let f=Math.max(0,Math.min(1,(u-c)/1800));await o(f),f<1&&requestAnimationFrame(l)};requestAnimationFrame(l)}),B("div",{class:"blend",role:"group","aria-label":"Before and after"},B("span",{},"before"),e,B("span",{},"after"),i)}function nR(r,e){if(nr(r,B("p",{class:"legend-title"},je(e.title))),e.scale){let t=[0,.25,.5,.75,1].map(i=>So(qa(i))).join(","),n=B("div",{class:"bar"});n.style.backgroundImage=`linear-gradient(to right, ${t})`,dn(r,[B("div",{class:"scale"},B("span",{},Me(e.scale.low)),n,B("span",{},Me(e.scale.high)))])}if(e.words.length){let t=e.words.map(n=>{let i=B("span",{class:"dot","aria-hidden":"true"});return i.style.backgroundColor=So(n.colour),B("li",{},B("button",{type:"button",title:"Select these rows",click:n.pick},i,je(n.name),B("span",{class:"quiet"},n.count.toLocaleString("en"))))});dn(r,[B("ul",{},...t)])}e.about&&dn(r,[B("p",{class:"hint"},e.about)]),e.rest&&dn(r,[B("p",{class:"hint"},e.rest)])}function iR(r){let e=Uint8Array.fromBase64;if(e)return e.call(Uint8Array,r);let t=atob(r),n=new Uint8Array(t.length);for(let i=0;i<t.length;i++)n[i]=t.charCodeAt(i);return n}var Qx=new Map;function Gu(r){let e=Qx.get(r);return e||(e=(async()=>{let t=document.getElementById(`part-${r}`);if(!t)throw new Error(`the page has no part "${r}"`);let n=iR(t.textContent??"");t.remove();let i=new Blob([n]).stream().pipeThrough(new DecompressionStream("deflate"));return new Uint8Array(await new Response(i).arrayBuffer())})(),Qx.set(r,e)),e}async function Po(r){return JSON.parse(new TextDecoder().decode(await Gu(r)))}async function ew(r){let e=await Gu(r),t=e.length/2,n=new Uint16Array(t);for(let i=0;i<t;i++)n[i]=e[i]<<8|e[t+i];return n}async function Ao(r){let e=await Gu(r),t=e.length/4,n=new Uint32Array(t);for(let i=0;i<t;i++)n[i]=(e[i]<<24|e[t+i]<<16|e[2*t+i]<<8|e[3*t+i])>>>0;return n}async function sR(r){let e=await ew(r.part),t=new Float32Array(e.length),n=(r.high-r.low)/65534;for(let i=0;i<t.length;i++)t[i]=e[i]===65535?NaN:r.low+e[i]*n;return t}var Jx=new Map;function Wr(r,e){let t=Jx.get(r);return t||Jx.set(r,t=e()),t}var zu=class r{constructor(e){this.about=e;this.starts=[0];for(let t of e.datasets)this.starts.push(this.starts[this.starts.length-1]+t.shown);this.n=this.starts[this.starts.length-1],this.dataset=new Uint8Array(this.n),e.datasets.forEach((t,n)=>this.dataset.fill(n,this.starts[n],this.starts[n+1]))}about;n;starts;dataset;rowNumbers=null;idLists=[];byRow=[];static async open(){let e=new r(await Po("manifest"));return e.about.sampled&&(e.rowNumbers=await Ao("rows")),e}row(e){return this.rowNumbers?this.rowNumbers[e]:e-this.starts[this.dataset[e]]}point(e,t){if(!this.rowNumbers)return t<this.about.datasets[e].shown?this.starts[e]+t:-1;let n=this.byRow[e];if(!n){n=new Map;for(let i=this.starts[e];i<this.starts[e+1];i++)n.set(this.rowNumbers[i],i);this.byRow[e]=n}return n.get(t)??-1}async loadIds(){this.idLists=await Promise.all(this.about.ids.map(e=>e?Po(e):Promise.resolve(null)))}name(e){let t=this.dataset[e];return this.idLists[t]?.[e-this.starts[t]]??`row ${this.row(e)}`}nameOf(e,t){let n=this.point(e,t);return n<0?`row ${t}`:this.name(n)}axis(e){return Wr(e.part,()=>sR(e))}numbers(e){return e.part?this.axis(e):this.matched().then(t=>t.distance)}words(e){return Wr(e.part,async()=>{let[t,n]=await Promise.all([Po(e.names),ew(e.part)]);return{names:t,codes:Int32Array.from(n,i=>i===65535?-1:i)}})}links(e){return e.part?Wr(e.part,()=>Ao(e.part)):Promise.resolve(new Uint32Array)}density(e){return Gu(e)}texts(e){let t=this.about.texts[e];return t?Wr(t,()=>Po(t)):Promise.resolve(null)}async partners(e,t){let n=await Wr(e.part,()=>Ao(e.part)),i=e.distance,s=i.part?await this.axis(i):null,o=(t-this.starts[e.from])*e.k,a=[];for(let c=o;c<o+e.k;c++)n[c]!==4294967295&&a.push({row:n[c],distance:s?s[c]:NaN});return a}async nearest(){return(await this.matched()).nearest}matched(){return Wr("matched",async()=>{let e=new Int32Array(this.n).fill(-1),t=new Float32Array(this.n).fill(1/0);for(let n of this.about.partners){let i=await Wr(n.part,()=>Ao(n.part)),s=n.distance.part?await this.axis(n.distance):null;for(let o=this.starts[n.from],a=0;o<this.starts[n.from+1];o++,a+=n.k){let c=s?s[a]:0;i[a]!==4294967295&&c<t[o]&&(t[o]=c,e[o]=this.point(n.to,i[a]))}}for(let n=0;n<t.length;n++)t[n]===1/0&&(t[n]=NaN);return{nearest:e,distance:t}})}async features(e){let t=this.dataset[e],n=this.about.features[t];if(!n)return null;let[i,s,o]=await Promise.all([Wr(n.names,()=>Po(n.names)),Wr(n.columns,()=>Ao(n.columns)),this.axis(n.values)]),a=(e-this.starts[t])*n.k,c=[];for(let l=a;l<a+n.k;l++)s[l]!==4294967295&&c.push([i[s[l]],o[l]]);return{about:n.about,list:c}}async withFeature(e,t){let n=[];for(let i=0;i<this.about.features.length;i++){let s=this.about.features[i];if(!s)continue;let a=(await Wr(s.names,()=>Po(s.names))).findIndex(l=>l.toLowerCase()===e);if(a<0)continue;let c=await Wr(s.columns,()=>Ao(s.columns));for(let l=0;l<c.length&&n.length<t;l++)c[l]===a&&n.push(this.starts[i]+Math.floor(l/s.k))}return n}};function sr(r,...e){return B("section",{class:"card"},B("h2",{},r),...e)}var hi=r=>B("p",{class:"hint"},r);function Wp(r,e){let{about:t}=r,n=t.diagnosis,i=c=>t.datasets[c].name,s=B("div",{class:"cards"}),o=B("div",{}),a=c=>c&&(c.classList.contains("wide")?o:s).append(c);return a(oR(n)),a(aR(n,i)),a(cR(n,i,e)),a(lR(n,i,e)),a(uR(n,t.pairs.total,e)),a(fR(n)),a(dR(n,t.datasets.map(c=>c.name))),a(hR(n)),a(pR(n)),a(mR(r)),B("div",{class:"diagnosis"},s,o)}function oR(r){let e=r.recall;if(!e.length)return r.scored?sr("Recall",hi("No pairs are known, so recall cannot be measured. Give true pairs to the report: --truth, or truth=.")):null;let t=e[0].held_out,n=e.reduce((c,l)=>l.k.length>c.k.length?l:c),i=e.map((c,l)=>({name:`${c.from} → ${c.to}`,values:n.k.map((u,f)=>c.share[f]??1),low:n.k.map((u,f)=>c.low[f]??1),high:n.k.map((u,f)=>c.high[f]??1),colour:l})),s={name:"chance",values:n.chance,dashed:!0},o=e.map(c=>`${c.from} → ${c.to} ${To(c.share[0])}`).join(", "),a=r.scored.pairs<r.scored.of?` An even sample of ${r.scored.pairs.toLocaleString("en")} of ${r.scored.of.toLocaleString("en")} pairs.`:"";return sr("Recall",Fu({title:"Recall at k",x:n.k,xName:"k",yName:"recall@k",logX:!0,yRange:[0,1.02],series:[...i,s]},`recall at 1: ${o}`),hi(t?`Share of rows whose true partner is among the k nearest rows, on ${ir(e[0].pairs,"pair")} that the fit did not see; shaded: 95 % interval.${a}`:`Of ${ir(e[0].pairs,"pair")} that were used in the fit: how well they were fitted, not how well other rows are matched.${a}`))}function aR(r,e){let t=r.distances;if(!t.length)return null;let n=r.scored?.truth?"true pairs":"known pairs",i=t.slice(0,3).flatMap(s=>{let o=s.known.length,a=Array.from({length:o+1},(l,u)=>s.low+u*(s.high-s.low)/o),c=l=>[...l,l[l.length-1]];return[t.length>1?B("h3",{},`${e(s.a)} and ${e(s.b)}`):null,Fu({title:"Distances",x:a,xName:`${r.metric} distance`,yName:"share",series:[{name:n,values:c(s.known),bars:!0,colour:2},{name:"random rows",values:c(s.random),bars:!0,colour:6}]},`median of ${n} ${Me(s.median_known)}, of random rows ${Me(s.median_random)}`),hi(`Median distance of ${n}: ${Me(s.median_known)}; of random rows: ${Me(s.median_random)}. The less they overlap, the better.`)]});return sr(`Distances of ${n}`,...i)}function cR(r,e,t){let n=r.alone;if(!n.length)return null;let i=n.flatMap(s=>{let o=B("h3",{},je(e(s.from))," without a good partner in ",je(e(s.to)),`: ${ir(s.count,"row")}`);if(!s.count)return[o];let a=s.rows.map(([c,l,u])=>[t.linkTo(s.from,c),Me(u),t.linkTo(s.to,l)]);return[o,Sr(`Rows of ${e(s.from)} without a good partner`,["row","distance","nearest"],a,[1])]});return sr("Rows without a good partner",...i,hi("The nearest row of the other dataset is unusually far: above the upper quartile by more than 1.5 times the distance between the quartiles."))}function lR(r,e,t){let n=r.hubs;if(!n.length)return null;let i=n.flatMap(s=>{let o=`${To(s.never)} of ${e(s.to)} are nearest to no row of ${e(s.from)}`+(s.mutual==null?"":`; ${To(s.mutual)} of ${e(s.from)} are matched mutually`),c=s.top.filter(([,l])=>l>2).slice(0,8).map(([l,u])=>[t.linkTo(s.to,l),u.toLocaleString("en")]);return[B("p",{},o),c.length?Sr(`Hubs of ${e(s.to)}`,["row",`nearest of … ${e(s.from)}`],c,[1]):null]});return sr("Hubs",...i,hi("A hub is the nearest row of many rows at once: at most one of those matches is right. Matching by CSLS, or one to one, avoids them."))}function uR(r,e,t){let n=r.suspects,i=r.far_pairs;if(!e||!n&&!i?.scored)return null;let s=[];return n?.by==="check_pairs"?(s.push(B("p",{},n.verdict)),n.pairs.length&&s.push(Sr("Pairs that look wrong",["pair","row","row","misfit","chance that it is right"],n.pairs.map(o=>[String(o.pair),t.linkTo(o.a,o.i),t.linkTo(o.b,o.j),Me(o.misfit),Me(o.confidence)]),[3,4]))):n&&s.push(B("p",{},`The fit found ${ir(n.count,"given pair")} that look wrong: ${n.positions.slice(0,20).join(", ")} (counted from 0).`)),i?.scored&&(s.push(B("p",{},i.count?`Of ${ir(i.scored,"known pair")}, ${i.count.toLocaleString("en")} are not nearest to each other in either direction. Farthest first:`:`All ${ir(i.scored,"known pair")} that were looked at find each other in at least one direction.`)),i.pairs.length&&s.push(Sr("Known pairs that lie far apart",["row","row","ranks","distance"],i.pairs.map(o=>[t.linkTo(o.a,o.i),t.linkTo(o.b,o.j),o.ranks.map(a=>a.toLocaleString("en")).join(" / "),Me(o.distance)]),[2,3]))),sr("Pairs that look wrong",...s)}function fR(r){let e=r.spectrum,{outcome:t}=r,n=`${t.status==="converged"?"Converged":"Reduced accuracy"}: residual ${Me(t.residual)} (asked ${Me(t.tolerance)}), solver ${t.solver}${t.components>1?`, graph in ${t.components} pieces`:""}.`;return e.length<2?sr("Solver",B("p",{},n)):sr("Spectrum",Fu({title:"Spectrum",x:e.map((i,s)=>s),xName:"component",yName:"value",series:[{name:"value of the component",values:e}]},n),hi(n))}function dR(r,e){let t=r.features;if(!t.length)return sr("Components",hi("This method places rows and learns no map of the features, so its components have no features."));let n=(o,a)=>o.filter(([,c])=>c*a>0).map(([c])=>c).join(", "),i=t.flatMap(o=>[1,-1].map(a=>[`${o.component} ${a>0?"+":"−"}`,...o.sides.map(c=>je(n(c,a)||"–"))])),s=sr("Components as features",Sr("Features of largest weight in each component",["",...e],i),hi("Features of one sign and one component go together, in all datasets."));return s.classList.add("wide"),s}function hR(r){let e=r.selection;if(!e?.table?.length)return null;let t=s=>typeof s=="number"?Me(s):"–",n=e.table.map(s=>[je(s.method),t(s.score),typeof s.low=="number"?`${Me(s.low)} – ${Me(s.high)}`:"–",t(s.chance),t(s.recall_at_1),t(s.recall_at_10),s.tied?"tied":""]),i=sr("Methods compared",B("p",{},e.verdict??""),Sr("Methods compared on held-out pairs",["method",e.scoring??"score","95 % interval","chance","recall@1","recall@10",""],n,[1,2,3,4,5]));return i.classList.add("wide"),i}function pR(r){let e=r.warnings;return e.length?sr("Warnings of the fit",B("ul",{},...e.map(t=>B("li",{},t)))):null}function mR(r){let{about:e}=r,t=e.diagnosis,n=Object.entries(t.params??{}).map(([s,o])=>`${s} = ${typeof o=="string"?o:JSON.stringify(o)}`);return sr("How it was made",B("dl",{},B("dt",{},"method"),B("dd",{},e.method),B("dt",{},"pairs given"),B("dd",{},Number(t.pairs_given).toLocaleString("en")),B("dt",{},"landbridge"),B("dd",{},e.version),...t.seconds.length?[B("dt",{},"seconds"),B("dd",{},t.seconds.map(([s,o])=>`${s} ${o.toFixed(2)}`).join(", "))]:[]),t.command?B("pre",{tabindex:0,"aria-label":"The command that makes it again"},t.command):null,B("details",{},B("summary",{},"Parameters"),B("ul",{class:"parameters"},...n.map(s=>B("li",{},s)))))}function pi(r,e){if(!r)throw new Error(e||"loader assertion failed.")}var hn={self:typeof self<"u"&&self,window:typeof window<"u"&&window,global:typeof global<"u"&&global,document:typeof document<"u"&&document},gR=hn.self||hn.window||hn.global||{},bR=hn.window||hn.self||hn.global||{},yR=hn.global||hn.self||hn.window||{},_R=hn.document||{};var rs=!!(typeof process!="object"||String(process)!=="[object process]"||process.browser);var tw=typeof process<"u"&&process.version&&/v([0-9]*)/.exec(process.version),xR=tw&&parseFloat(tw[1])||0;Ka();var tm="4.5.4",LR=tm[0]>="0"&&tm[0]<="9"?`v${tm}`:"";function MR(){let r=new kt({id:"loaders.gl"});return globalThis.loaders||={},globalThis.loaders.log=r,globalThis.loaders.version=LR,globalThis.probe||={},globalThis.probe.loaders=r,r}var rm=MR();var CR=r=>typeof r=="boolean",mn=r=>typeof r=="function",gn=r=>r!==null&&typeof r=="object",qu=r=>gn(r)&&r.constructor==={}.constructor;var nm=r=>typeof SharedArrayBuffer<"u"&&r instanceof SharedArrayBuffer,Co=r=>gn(r)&&typeof r.byteLength=="number"&&typeof r.slice=="function";var im=r=>!!r&&mn(r[Symbol.iterator]),sm=r=>!!r&&mn(r[Symbol.asyncIterator]);var ar=r=>typeof Response<"u"&&r instanceof Response||gn(r)&&mn(r.arrayBuffer)&&mn(r.text)&&mn(r.json);var cr=r=>typeof Blob<"u"&&r instanceof Blob;var bw=r=>typeof ReadableStream<"u"&&r instanceof ReadableStream||gn(r)&&mn(r.tee)&&mn(r.cancel)&&mn(r.getReader);var yw=r=>gn(r)&&mn(r.read)&&mn(r.pipe)&&CR(r.readable),Qa=r=>bw(r)||yw(r);function om(r,e){return _w(r||{},e)}function _w(r,e,t=0){if(t>3)return e;let n={...r};for(let[i,s]of Object.entries(e))s&&typeof s=="object"&&!Array.isArray(s)?n[i]=_w(n[i]||{},e[i],t+1):n[i]=e[i];return n}var xw="latest";function RR(){return globalThis._loadersgl_?.version||(globalThis._loadersgl_=globalThis._loadersgl_||{},globalThis._loadersgl_.version="4.5.4"),globalThis._loadersgl_.version}var ww=RR();function Ot(r,e){if(!r)throw new Error(e||"loaders.gl assertion failed.")}var bn={self:typeof self<"u"&&self,window:typeof window<"u"&&window,global:typeof global<"u"&&global,document:typeof document<"u"&&document},zW=bn.self||bn.window||bn.global||{},GW=bn.window||bn.self||bn.global||{},$W=bn.global||bn.self||bn.window||{},VW=bn.document||{};var Tr=typeof process!="object"||String(process)!=="[object process]"||process.browser;var Ew=typeof window<"u"&&typeof window.orientation<"u",vw=typeof process<"u"&&process.version&&/v([0-9]*)/.exec(process.version),WW=vw&&parseFloat(vw[1])||0;var Ja=class{name;workerThread;isRunning=!0;result;_resolve=()=>{};_reject=()=>{};constructor(e,t){this.name=e,this.workerThread=t,this.result=new Promise((n,i)=>{this._resolve=n,this._reject=i})}postMessage(e,t){this.workerThread.postMessage({source:"loaders.gl",type:e,payload:t})}done(e){Ot(this.isRunning),this.isRunning=!1,this._resolve(e)}error(e){Ot(this.isRunning),this.isRunning=!1,this._reject(e)}};var Ro=class{terminate(){}};var am=new Map;function Sw(r){Ot(r.source&&!r.url||!r.source&&r.url);let e=am.get(r.source||r.url);return e||(r.url&&(e=IR(r.url),am.set(r.url,e)),r.source&&(e=Tw(r.source),am.set(r.source,e))),Ot(e),e}function IR(r){if(!r.startsWith("http"))return r;let e=BR(r);return Tw(e)}function Tw(r){let e=new Blob([r],{type:"application/javascript"});return URL.createObjectURL(e)}function BR(r){return`try {
  importScripts('${r}');
} catch (error) {
  console.error(error);
  throw error;
}`}function cm(r,e=!0,t){let n=t||new Set;if(r){if(Pw(r))n.add(r);else if(Pw(r.buffer))n.add(r.buffer);else if(!ArrayBuffer.isView(r)){if(e&&typeof r=="object")for(let i in r)cm(r[i],e,n)}}return t===void 0?Array.from(n):[]}function Pw(r){return r?r instanceof ArrayBuffer||typeof MessagePort<"u"&&r instanceof MessagePort||typeof ImageBitmap<"u"&&r instanceof ImageBitmap||typeof OffscreenCanvas<"u"&&r instanceof OffscreenCanvas:!1}var lm=()=>{},mi=class{name;source;url;terminated=!1;worker;onMessage;onError;_loadableURL="";static isSupported(){return typeof Worker<"u"&&Tr||typeof Ro<"u"&&!Tr}constructor(e){let{name:t,source:n,url:i}=e;Ot(n||i),this.name=t,this.source=n,this.url=i,this.onMessage=lm,this.onError=s=>console.log(s),this.worker=Tr?this._createBrowserWorker():this._createNodeWorker()}destroy(){this.onMessage=lm,this.onError=lm,this.worker.terminate(),this.terminated=!0}get isRunning(){return!!this.onMessage}postMessage(e,t){t=t||cm(e),this.worker.postMessage(e,t)}_getErrorFromErrorEvent(e){let t="Failed to load ";return t+=`worker ${this.name} from ${this.url}. `,e.message&&(t+=`${e.message} in `),e.lineno&&(t+=`:${e.lineno}:${e.colno}`),new Error(t)}_createBrowserWorker(){this._loadableURL=Sw({source:this.source,url:this.url});let e=new Worker(this._loadableURL,{name:this.name});return e.onmessage=t=>{t.data?this.onMessage(t.data):this.onError(new Error("No data received"))},e.onerror=t=>{this.onError(this._getErrorFromErrorEvent(t)),this.terminated=!0},e.onmessageerror=t=>console.error(t),e}_createNodeWorker(){let e;if(this.url){let n=this.url.includes(":/")||this.url.startsWith("/")?this.url:`./${this.url}`,i=this.url.endsWith(".ts")||this.url.endsWith(".mjs")?"module":"commonjs";e=new Ro(n,{eval:!1,type:i})}else if(this.source)e=new Ro(this.source,{eval:!0});else throw new Error("no worker");return e.on("message",t=>{this.onMessage(t)}),e.on("error",t=>{this.onError(t)}),e.on("exit",t=>{}),e}};var ec=class{name="unnamed";source;url;maxConcurrency=1;maxMobileConcurrency=1;onDebug=()=>{};reuseWorkers=!0;props={};jobQueue=[];idleQueue=[];count=0;isDestroyed=!1;static isSupported(){return mi.isSupported()}constructor(e){this.source=e.source,this.url=e.url,this.setProps(e)}destroy(){this.idleQueue.forEach(e=>e.destroy()),this.isDestroyed=!0}setProps(e){this.props={...this.props,...e},e.name!==void 0&&(this.name=e.name),e.maxConcurrency!==void 0&&(this.maxConcurrency=e.maxConcurrency),e.maxMobileConcurrency!==void 0&&(this.maxMobileConcurrency=e.maxMobileConcurrency),e.reuseWorkers!==void 0&&(this.reuseWorkers=e.reuseWorkers),e.onDebug!==void 0&&(this.onDebug=e.onDebug)}async startJob(e,t=(i,s,o)=>i.done(o),n=(i,s)=>i.error(s)){let i=new Promise(s=>(this.jobQueue.push({name:e,onMessage:t,onError:n,onStart:s}),this));return this._startQueuedJob(),await i}async _startQueuedJob(){if(!this.jobQueue.length)return;let e=this._getAvailableWorker();if(!e)return;let t=this.jobQueue.shift();if(t){this.onDebug({message:"Starting job",name:t.name,workerThread:e,backlog:this.jobQueue.length});let n=new Ja(t.name,e);e.onMessage=i=>t.onMessage(n,i.type,i.payload),e.onError=i=>t.onError(n,i),t.onStart(n);try{await n.result}catch(i){console.error(`Worker exception: ${i}`)}finally{this.returnWorkerToQueue(e)}}}returnWorkerToQueue(e){!Tr||this.isDestroyed||!this.reuseWorkers||this.count>this._getMaxConcurrency()?(e.destroy(),this.count--):this.idleQueue.push(e),this.isDestroyed||this._startQueuedJob()}_getAvailableWorker(){if(this.idleQueue.length>0)return this.idleQueue.shift()||null;if(this.count<this._getMaxConcurrency()){this.count++;let e=`${this.name.toLowerCase()} (#${this.count} of ${this.maxConcurrency})`;return new mi({name:e,source:this.source,url:this.url})}return null}_getMaxConcurrency(){return Ew?this.maxMobileConcurrency:this.maxConcurrency}};var kR={maxConcurrency:3,maxMobileConcurrency:1,reuseWorkers:!0,onDebug:()=>{}},ss=class r{props;workerPools=new Map;static _workerFarm;static isSupported(){return mi.isSupported()}static getWorkerFarm(e={}){return r._workerFarm=r._workerFarm||new r({}),r._workerFarm.setProps(e),r._workerFarm}constructor(e){this.props={...kR},this.setProps(e),this.workerPools=new Map}destroy(){for(let e of this.workerPools.values())e.destroy();this.workerPools=new Map}setProps(e){this.props={...this.props,...e};for(let t of this.workerPools.values())t.setProps(this._getWorkerPoolProps())}getWorkerPool(e){let{name:t,source:n,url:i}=e,s=this.workerPools.get(t);return s||(s=new ec({name:t,source:n,url:i}),s.setProps(this._getWorkerPoolProps()),this.workerPools.set(t,s)),s}_getWorkerPoolProps(){return{maxConcurrency:this.props.maxConcurrency,maxMobileConcurrency:this.props.maxMobileConcurrency,reuseWorkers:this.props.reuseWorkers,onDebug:this.props.onDebug}}};function um(r,e={}){let t=e[r.id]||{},n=Tr?r.workerFile||`${r.id}-worker.js`:`${r.id}-worker-node.js`,i=t.workerUrl;if(!i&&r.id==="compression"&&(i=e.workerUrl),(e._workerType||e?.core?._workerType)==="test"&&(Tr?i=`modules/${r.module}/dist/${n}`:i=`modules/${r.module}/src/workers/${r.id}-worker-node.ts`),!i){let o=r.version;o==="latest"&&(o=xw);let a=o?`@${o}`:"";i=`https://unpkg.com/@loaders.gl/${r.module}${a}/dist/${n}`}return Ot(i),i}function fm(r,e=ww){Ot(r,"no worker provided");let t=r.version;return!(!e||!t)}function dm(r,e){if(!ss.isSupported())return!1;let t=e?._nodeWorkers??e?.core?._nodeWorkers;if(!Tr&&!t)return!1;let n=e?.worker??e?.core?.worker;return!!(r.worker&&n)}async function hm(r,e,t,n,i){let s=r.id,o=um(r,t),c=ss.getWorkerFarm(t?.core).getWorkerPool({name:s,url:o});t=JSON.parse(JSON.stringify(t||{})),t._workerLoaderId=r.id,n=JSON.parse(JSON.stringify(n||{}));let l=await c.startJob("process-on-worker",OR.bind(null,i));return l.postMessage("process",{input:e,options:t,context:n}),await(await l.result).result}async function OR(r,e,t,n){switch(t){case"done":e.done(n);break;case"error":e.error(new Error(n.error));break;case"process":let{id:i,input:s,options:o}=n;try{let a=await r(s,o);e.postMessage("done",{id:i,result:a})}catch(a){let c=a instanceof Error?a.message:"unknown error";e.postMessage("error",{id:i,error:c})}break;default:console.warn(`parse-with-worker unknown message ${t}`)}}function pm(r,e,t){if(t=t||r.byteLength,r.byteLength<t||e.byteLength<t)return!1;let n=new Uint8Array(r),i=new Uint8Array(e);for(let s=0;s<n.length;++s)if(n[s]!==i[s])return!1;return!0}function mm(...r){return Aw(r)}function Aw(r){let e=r.map(s=>s instanceof ArrayBuffer?new Uint8Array(s):s),t=e.reduce((s,o)=>s+o.byteLength,0),n=new Uint8Array(t),i=0;for(let s of e)n.set(s,i),i+=s.byteLength;return n.buffer}async function gm(r){let e=[];for await(let t of r)e.push(DR(t));return mm(...e)}function DR(r){if(r instanceof ArrayBuffer)return r;if(ArrayBuffer.isView(r)){let{buffer:e,byteOffset:t,byteLength:n}=r;return Lw(e,t,n)}return Lw(r)}function Lw(r,e=0,t=r.byteLength-e){let n=new Uint8Array(r,e,t),i=new Uint8Array(n.length);return i.set(n),i.buffer}var NR="",Cw={};function _m(r){for(let e in Cw)if(r.startsWith(e)){let t=Cw[e];r=r.replace(e,t)}return!r.startsWith("http://")&&!r.startsWith("https://")&&(r=`${NR}${r}`),r}function Zu(r){return r&&typeof r=="object"&&r.isBuffer}function Io(r){if(Zu(r))return r;if(r instanceof ArrayBuffer)return r;if(nm(r))return Xu(r);if(ArrayBuffer.isView(r)){let e=r.buffer;return r.byteOffset===0&&r.byteLength===r.buffer.byteLength?e:e.slice(r.byteOffset,r.byteOffset+r.byteLength)}if(typeof r=="string"){let e=r;return new TextEncoder().encode(e).buffer}if(r&&typeof r=="object"&&r._toArrayBuffer)return r._toArrayBuffer();throw new Error("toArrayBuffer")}function nc(r){if(r instanceof ArrayBuffer)return r;if(nm(r))return Xu(r);let{buffer:e,byteOffset:t,byteLength:n}=r;return e instanceof ArrayBuffer&&t===0&&n===e.byteLength?e:Xu(e,t,n)}function Xu(r,e=0,t=r.byteLength-e){let n=new Uint8Array(r,e,t),i=new Uint8Array(n.length);return i.set(n),i.buffer}function xm(r){return ArrayBuffer.isView(r)?r:new Uint8Array(r)}var Wn={};zn(Wn,{dirname:()=>UR,filename:()=>FR,join:()=>zR,resolve:()=>GR});function Rw(){if(typeof process<"u"&&typeof process.cwd<"u")return process.cwd();let r=window.location?.pathname;return r?.slice(0,r.lastIndexOf("/")+1)||""}function FR(r){let e=r?r.lastIndexOf("/"):-1;return e>=0?r.substr(e+1):r}function UR(r){let e=r?r.lastIndexOf("/"):-1;return e>=0?r.substr(0,e):""}function zR(...r){return r=r.map((t,n)=>(n&&(t=t.replace(new RegExp("^/"),"")),n!==r.length-1&&(t=t.replace(new RegExp("/$"),"")),t)),r.join("/")}function GR(...r){let e=[];for(let s=0;s<r.length;s++)e[s]=r[s];let t="",n=!1,i;for(let s=e.length-1;s>=-1&&!n;s--){let o;s>=0?o=e[s]:(i===void 0&&(i=Rw()),o=i),o.length!==0&&(t=`${o}/${t}`,n=o.charCodeAt(0)===ic)}return t=$R(t,!n),n?`/${t}`:t.length>0?t:"."}var ic=47,wm=46;function $R(r,e){let t="",n=-1,i=0,s,o=!1;for(let a=0;a<=r.length;++a){if(a<r.length)s=r.charCodeAt(a);else{if(s===ic)break;s=ic}if(s===ic){if(!(n===a-1||i===1))if(n!==a-1&&i===2){if(t.length<2||!o||t.charCodeAt(t.length-1)!==wm||t.charCodeAt(t.length-2)!==wm){if(t.length>2){let c=t.length-1,l=c;for(;l>=0&&t.charCodeAt(l)!==ic;--l);if(l!==c){t=l===-1?"":t.slice(0,l),n=a,i=0,o=!1;continue}}else if(t.length===2||t.length===1){t="",n=a,i=0,o=!1;continue}}e&&(t.length>0?t+="/..":t="..",o=!0)}else{let c=r.slice(n+1,a);t.length>0?t+=`/${c}`:t=c,o=!1}n=a,i=0}else s===wm&&i!==-1?++i:i=-1}return t}var Ku=class extends Error{constructor(e,t){super(e),this.reason=t.reason,this.url=t.url,this.response=t.response}reason;url;response};var jR=/^data:([-\w.]+\/[-\w.+]+)(;|,)/,HR=/^([-\w.]+\/[-\w.+]+)/;function vm(r,e){return r.toLowerCase()===e.toLowerCase()}function Iw(r){let e=HR.exec(r);return e?e[1]:r}function Em(r){let e=jR.exec(r);return e?e[1]:""}var Bw=/\?.*/;function kw(r){let e=r.match(Bw);return e&&e[0]}function gi(r){return r.replace(Bw,"")}function Ow(r){if(r.length<50)return r;let e=r.slice(r.length-15);return`${r.substr(0,32)}...${e}`}function as(r){return ar(r)?r.url:cr(r)?("name"in r?r.name:"")||"":typeof r=="string"?r:""}function Bo(r){if(ar(r)){let e=r.headers.get("content-type")||"",t=gi(r.url);return Iw(e)||Em(t)}return cr(r)?r.type||"":typeof r=="string"?Em(r):""}function Dw(r){return ar(r)?r.headers["content-length"]||-1:cr(r)?r.size:typeof r=="string"?r.length:r instanceof ArrayBuffer||ArrayBuffer.isView(r)?r.byteLength:-1}async function Qu(r){if(ar(r))return r;let e={},t=Dw(r);t>=0&&(e["content-length"]=String(t));let n=as(r),i=Bo(r);i&&(e["content-type"]=i);let s=await qR(r);s&&(e["x-first-bytes"]=s),typeof r=="string"&&(r=new TextEncoder().encode(r));let o=new Response(r,{headers:e});return Object.defineProperty(o,"url",{value:n}),o}async function Nw(r){if(!r.ok)throw await YR(r)}async function YR(r){let e=Ow(r.url),t=`Failed to fetch resource (${r.status}) ${r.statusText}: ${e}`;t=t.length>100?`${t.slice(0,100)}...`:t;let n={reason:r.statusText,url:r.url,response:r};try{let i=r.headers.get("Content-Type");n.reason=!r.bodyUsed&&i?.includes("application/json")?await r.json():await r.text()}catch{}return new Ku(t,n)}async function qR(r){if(typeof r=="string")return`data:,${r.slice(0,5)}`;if(r instanceof Blob){let t=r.slice(0,5);return await new Promise(n=>{let i=new FileReader;i.onload=s=>n(s?.target?.result),i.readAsDataURL(t)})}if(r instanceof ArrayBuffer){let t=r.slice(0,5);return`data:base64,${XR(t)}`}return null}function XR(r){let e="",t=new Uint8Array(r);for(let n=0;n<t.byteLength;n++)e+=String.fromCharCode(t[n]);return btoa(e)}function ZR(r){return!KR(r)&&!QR(r)}function KR(r){return r.startsWith("http:")||r.startsWith("https:")}function QR(r){return r.startsWith("data:")}async function Sm(r,e){if(typeof r=="string"){let t=_m(r);return ZR(t)&&globalThis.loaders?.fetchNode?globalThis.loaders?.fetchNode(t,e):await fetch(t,e)}return await Qu(r)}Ka();var sc=new kt({id:"loaders.gl"}),Ju=class{log(){return()=>{}}info(){return()=>{}}warn(){return()=>{}}error(){return()=>{}}},ef=class{console;constructor(){this.console=console}log(...e){return this.console.log.bind(this.console,...e)}info(...e){return this.console.info.bind(this.console,...e)}warn(...e){return this.console.warn.bind(this.console,...e)}error(...e){return this.console.error.bind(this.console,...e)}};var tf={core:{baseUrl:void 0,fetch:null,mimeType:void 0,fallbackMimeType:void 0,ignoreRegisteredLoaders:void 0,nothrow:!1,log:new ef,useLocalLibraries:!1,CDN:"https://unpkg.com/@loaders.gl",worker:!0,maxConcurrency:3,maxMobileConcurrency:1,reuseWorkers:rs,_nodeWorkers:!1,_workerType:"",limit:0,_limitMB:0,batchSize:"auto",batchDebounceMs:0,metadata:!1,transforms:[]}},Fw={baseUri:"core.baseUrl",fetch:"core.fetch",mimeType:"core.mimeType",fallbackMimeType:"core.fallbackMimeType",ignoreRegisteredLoaders:"core.ignoreRegisteredLoaders",nothrow:"core.nothrow",log:"core.log",useLocalLibraries:"core.useLocalLibraries",CDN:"core.CDN",worker:"core.worker",maxConcurrency:"core.maxConcurrency",maxMobileConcurrency:"core.maxMobileConcurrency",reuseWorkers:"core.reuseWorkers",_nodeWorkers:"core.nodeWorkers",_workerType:"core._workerType",_worker:"core._workerType",limit:"core.limit",_limitMB:"core._limitMB",batchSize:"core.batchSize",batchDebounceMs:"core.batchDebounceMs",metadata:"core.metadata",transforms:"core.transforms",throws:"nothrow",dataType:"(no longer used)",uri:"core.baseUrl",method:"core.fetch.method",headers:"core.fetch.headers",body:"core.fetch.body",mode:"core.fetch.mode",credentials:"core.fetch.credentials",cache:"core.fetch.cache",redirect:"core.fetch.redirect",referrer:"core.fetch.referrer",referrerPolicy:"core.fetch.referrerPolicy",integrity:"core.fetch.integrity",keepalive:"core.fetch.keepalive",signal:"core.fetch.signal"};var Tm=["baseUrl","fetch","mimeType","fallbackMimeType","ignoreRegisteredLoaders","nothrow","log","useLocalLibraries","CDN","worker","maxConcurrency","maxMobileConcurrency","reuseWorkers","_nodeWorkers","_workerType","limit","_limitMB","batchSize","batchDebounceMs","metadata","transforms"];function Pm(){globalThis.loaders=globalThis.loaders||{};let{loaders:r}=globalThis;return r._state||(r._state={}),r._state}function Am(){let r=Pm();return r.globalOptions=r.globalOptions||{...tf,core:{...tf.core}},jn(r.globalOptions)}function Gw(r,e,t,n){return t=t||[],t=Array.isArray(t)?t:[t],JR(r,t),jn(tI(e,r,n))}function jn(r){let e=nI(r);$w(e);for(let t of Tm)e.core&&e.core[t]!==void 0&&delete e[t];return e.core&&e.core._workerType!==void 0&&delete e._worker,e}function JR(r,e){Uw(r,null,tf,Fw,e);for(let t of e){let n=r&&r[t.id]||{},i=t.options&&t.options[t.id]||{},s=t.deprecatedOptions&&t.deprecatedOptions[t.id]||{};Uw(n,t.id,i,s,e)}}function Uw(r,e,t,n,i){let s=e||"Top level",o=e?`${e}.`:"";for(let a in r){let c=!e&&gn(r[a]),l=a==="baseUri"&&!e,u=a==="workerUrl"&&e;if(!(a in t)&&!l&&!u){if(a in n)sc.level>0&&sc.warn(`${s} loader option '${o}${a}' no longer supported, use '${n[a]}'`)();else if(!c&&sc.level>0){let f=eI(a,i);sc.warn(`${s} loader option '${o}${a}' not recognized. ${f}`)()}}}}function eI(r,e){let t=r.toLowerCase(),n="";for(let i of e)for(let s in i.options){if(r===s)return`Did you mean '${i.id}.${s}'?`;let o=s.toLowerCase();(t.startsWith(o)||o.startsWith(t))&&(n=n||`Did you mean '${i.id}.${s}'?`)}return n}function tI(r,e,t){let n=r.options||{},i={...n};n.core&&(i.core={...n.core}),$w(i),i.core?.log===null&&(i.core={...i.core,log:new Ju}),zw(i,jn(Am()));let s=jn(e);return zw(i,s),rI(i,t),iI(i),i}function zw(r,e){for(let t in e)if(t in e){let n=e[t];qu(n)&&qu(r[t])?r[t]={...r[t],...e[t]}:r[t]=e[t]}}function rI(r,e){if(!e)return;r.core?.baseUrl!==void 0||(r.core||={},r.core.baseUrl=Wn.dirname(gi(e)))}function nI(r){let e={...r};return r.core&&(e.core={...r.core}),e}function $w(r){r.baseUri!==void 0&&(r.core||={},r.core.baseUrl===void 0&&(r.core.baseUrl=r.baseUri));for(let t of Tm)if(r[t]!==void 0){let i=r.core=r.core||{};i[t]===void 0&&(i[t]=r[t])}let e=r._worker;e!==void 0&&(r.core||={},r.core._workerType===void 0&&(r.core._workerType=e))}function iI(r){let e=r.core;if(e)for(let t of Tm)e[t]!==void 0&&(r[t]=e[t])}function oc(r){return r?(Array.isArray(r)&&(r=r[0]),Array.isArray(r?.extensions)):!1}function ac(r){pi(r,"null loader"),pi(oc(r),"invalid loader");let e;return Array.isArray(r)&&(e=r[1],r=r[0],r={...r,options:{...r.options,...e}}),(r?.parseTextSync||r?.parseText)&&(r.text=!0),r.text||(r.binary=!0),r}var Vw=()=>{let r=Pm();return r.loaderRegistry=r.loaderRegistry||[],r.loaderRegistry};function Lm(r){let e=Vw();r=Array.isArray(r)?r:[r];for(let t of r){let n=ac(t);e.find(i=>n===i)||e.unshift(n)}}function Ww(){return Vw()}var sI=/\.([^.]+)$/;async function Yw(r,e=[],t,n){if(!qw(r))return null;let i=jn(t||{});if(i.core||={},r instanceof Response&&jw(r)){let o=await r.clone().text(),a=rf(o,e,{...i,core:{...i.core,nothrow:!0}},n);if(a)return a}let s=rf(r,e,{...i,core:{...i.core,nothrow:!0}},n);if(s)return s;if(cr(r)&&(r=await r.slice(0,10).arrayBuffer(),s=rf(r,e,i,n)),!s&&r instanceof Response&&jw(r)){let o=await r.clone().text();s=rf(o,e,i,n)}if(!s&&!i.core.nothrow)throw new Error(Xw(r));return s}function jw(r){let e=Bo(r);return!!(e&&(e.startsWith("text/")||e==="application/json"||e.endsWith("+json")))}function rf(r,e=[],t,n){if(!qw(r))return null;let i=jn(t||{});if(i.core||={},e&&!Array.isArray(e))return ac(e);let s=[];e&&(s=s.concat(e)),i.core.ignoreRegisteredLoaders||s.push(...Ww()),aI(s);let o=oI(r,s,i,n);if(!o&&!i.core.nothrow)throw new Error(Xw(r));return o}function oI(r,e,t,n){let i=as(r),s=Bo(r),o=gi(i)||n?.url,a=null,c="";return t?.core?.mimeType&&(a=Mm(e,t?.core?.mimeType),c=`match forced by supplied MIME type ${t?.core?.mimeType}`),a=a||cI(e,o),c=c||(a?`matched url ${o}`:""),a=a||Mm(e,s),c=c||(a?`matched MIME type ${s}`:""),a=a||uI(e,r),c=c||(a?`matched initial data ${Zw(r)}`:""),t?.core?.fallbackMimeType&&(a=a||Mm(e,t?.core?.fallbackMimeType),c=c||(a?`matched fallback MIME type ${s}`:"")),c&&rm.log(1,`selectLoader selected ${a?.name}: ${c}.`),a}function qw(r){return!(r instanceof Response&&r.status===204)}function Xw(r){let e=as(r),t=Bo(r),n="No valid loader found (";n+=e?`${Wn.filename(e)}, `:"no url provided, ",n+=`MIME type: ${t?`"${t}"`:"not provided"}, `;let i=r?Zw(r):"";return n+=i?` first bytes: "${i}"`:"first bytes: not available",n+=")",n}function aI(r){for(let e of r)ac(e)}function cI(r,e){let t=e&&sI.exec(e),n=t&&t[1];return n?lI(r,n):null}function lI(r,e){e=e.toLowerCase();for(let t of r)for(let n of t.extensions)if(n.toLowerCase()===e)return t;return null}function Mm(r,e){for(let t of r)if(t.mimeTypes?.some(n=>vm(e,n))||vm(e,`application/x.${t.id}`))return t;return null}function uI(r,e){if(!e)return null;for(let t of r)if(typeof e=="string"){if(fI(e,t))return t}else if(ArrayBuffer.isView(e)){if(Hw(e.buffer,e.byteOffset,t))return t}else if(e instanceof ArrayBuffer&&Hw(e,0,t))return t;return null}function fI(r,e){return e.testText?e.testText(r):(Array.isArray(e.tests)?e.tests:[e.tests]).some(n=>r.startsWith(n))}function Hw(r,e,t){return(Array.isArray(t.tests)?t.tests:[t.tests]).some(i=>dI(r,e,t,i))}function dI(r,e,t,n){if(Co(n))return pm(n,r,n.byteLength);switch(typeof n){case"function":return n(nc(r));case"string":let i=Cm(r,e,n.length);return n===i;default:return!1}}function Zw(r,e=5){return typeof r=="string"?r.slice(0,e):ArrayBuffer.isView(r)?Cm(r.buffer,r.byteOffset,e):r instanceof ArrayBuffer?Cm(r,0,e):""}function Cm(r,e,t){if(r.byteLength<e+t)return"";let n=new DataView(r),i="";for(let s=0;s<t;s++)i+=String.fromCharCode(n.getUint8(e+s));return i}var hI=256*1024;function*Kw(r,e){let t=e?.chunkSize||hI,n=0,i=new TextEncoder;for(;n<r.length;){let s=Math.min(r.length-n,t),o=r.slice(n,n+s);n+=s,yield nc(i.encode(o))}}function*Qw(r,e={}){let{chunkSize:t=262144}=e,n=0;for(;n<r.byteLength;){let i=Math.min(r.byteLength-n,t),s=new ArrayBuffer(i),o=new Uint8Array(r,n,i);new Uint8Array(s).set(o),n+=i,yield s}}async function*Jw(r,e){let t=e?.chunkSize||1048576,n=0;for(;n<r.size;){let i=n+t,s=await r.slice(n,i).arrayBuffer();n=i,yield s}}function Rm(r,e){return rs?pI(r,e):mI(r,e)}async function*pI(r,e){let t=r.getReader(),n;try{for(;;){let i=n||t.read();e?._streamReadAhead&&(n=t.read());let{done:s,value:o}=await i;if(s)return;yield Io(o)}}catch{t.releaseLock()}}async function*mI(r,e){for await(let t of r)yield Io(t)}function ev(r,e){if(typeof r=="string")return Kw(r,e);if(r instanceof ArrayBuffer)return Qw(r,e);if(cr(r))return Jw(r,e);if(Qa(r))return Rm(r,e);if(ar(r)){let t=r.body;if(!t)throw new Error("Readable stream not available on Response");return Rm(t,e)}throw new Error("makeIterator")}var tv="Cannot convert supplied data type";function gI(r,e,t){if(e.text&&typeof r=="string")return r;if(Zu(r)&&(r=r.buffer),Co(r)){let n=xm(r);return e.text&&!e.binary?new TextDecoder("utf8").decode(n):Io(n)}throw new Error(tv)}async function rv(r,e,t){if(typeof r=="string"||Co(r))return gI(r,e,t);if(cr(r)&&(r=await Qu(r)),ar(r))return await Nw(r),e.binary?await r.arrayBuffer():await r.text();if(Qa(r)&&(r=ev(r,t)),im(r)||sm(r))return gm(r);throw new Error(tv)}function nf(r,e){let t=Am(),n=r||t,i=n.fetch??n.core?.fetch;return typeof i=="function"?i:gn(i)?s=>Sm(s,i):e?.fetch?e?.fetch:Sm}function nv(r,e,t){if(t)return t;let n={fetch:nf(e,r),...r};if(n.url){let i=gi(n.url);n.baseUrl=i,n.queryString=kw(n.url),n.filename=Wn.filename(i),n.baseUrl=Wn.dirname(i)}return Array.isArray(n.loaders)||(n.loaders=null),n}function iv(r,e){if(r&&!Array.isArray(r))return r;let t;if(r&&(t=Array.isArray(r)?r:[r]),e&&e.loaders){let n=Array.isArray(e.loaders)?e.loaders:[e.loaders];t=t?[...t,...n]:n}return t&&t.length?t:void 0}async function cc(r,e,t,n){e&&!Array.isArray(e)&&!oc(e)&&(n=void 0,t=e,e=void 0),r=await r,t=t||{};let i=as(r),o=iv(e,n),a=await Yw(r,o,t);if(!a)return null;let c=Gw(t,a,o,i);return n=nv({url:i,_parse:cc,loaders:o},c,n||null),await bI(a,r,c,n)}async function bI(r,e,t,n){if(fm(r),t=om(r.options,t),ar(e)){let{ok:s,redirected:o,status:a,statusText:c,type:l,url:u}=e,f=Object.fromEntries(e.headers.entries());n.response={headers:f,ok:s,redirected:o,status:a,statusText:c,type:l,url:u}}e=await rv(e,r,t);let i=r;if(i.parseTextSync&&typeof e=="string")return i.parseTextSync(e,t,n);if(dm(r,t))return await hm(r,e,t,n,cc);if(i.parseText&&typeof e=="string")return await i.parseText(e,t,n);if(i.parse)return await i.parse(e,t,n);throw Ot(!i.parseSync),new Error(`${r.id} loader - no parser found and worker is disabled`)}async function ko(r,e,t,n){let i,s;!Array.isArray(e)&&!oc(e)?(i=[],s=e,n=void 0):(i=e,s=t);let o=nf(s),a=r;return typeof r=="string"&&(a=await o(r)),cr(r)&&(a=await o(r)),typeof r=="string"&&(jn(s||{}).core?.baseUrl||(s={...s,core:{...s?.core,baseUrl:r}})),Array.isArray(i)?await cc(a,i,s):await cc(a,i,s)}var cv="4.5.4";var yI=globalThis.loaders?.parseImageNode,Bm=typeof Image<"u",km=typeof ImageBitmap<"u",_I=!!yI,Om=rs?!0:_I;function lv(r){switch(r){case"auto":return km||Bm||Om;case"imagebitmap":return km;case"image":return Bm;case"data":return Om;default:throw new Error(`@loaders.gl/images: image ${r} not supported in this environment`)}}function uv(){if(km)return"imagebitmap";if(Bm)return"image";if(Om)return"data";throw new Error("Install '@loaders.gl/polyfills' to parse images under Node.js")}function xI(r){let e=wI(r);if(!e)throw new Error("Not an image");return e}function fv(r){switch(xI(r)){case"data":return r;case"image":case"imagebitmap":let e=document.createElement("canvas"),t=e.getContext("2d");if(!t)throw new Error("getImageData");return e.width=r.width,e.height=r.height,t.drawImage(r,0,0),t.getImageData(0,0,r.width,r.height);default:throw new Error("getImageData")}}function wI(r){return typeof ImageBitmap<"u"&&r instanceof ImageBitmap?"imagebitmap":typeof Image<"u"&&r instanceof Image?"image":r&&typeof r=="object"&&r.data&&r.width&&r.height?"data":null}var vI=/^data:image\/svg\+xml/,EI=/\.svg((\?|#).*)?$/;function sf(r){return r&&(vI.test(r)||EI.test(r))}function dv(r,e){if(sf(e)){let n=new TextDecoder().decode(r);try{typeof unescape=="function"&&typeof encodeURIComponent=="function"&&(n=unescape(encodeURIComponent(n)))}catch(s){throw new Error(s.message)}return`data:image/svg+xml;base64,${btoa(n)}`}return Dm(r,e)}function Dm(r,e){if(sf(e))throw new Error("SVG cannot be parsed directly to imagebitmap");return new Blob([new Uint8Array(r)])}async function of(r,e,t){let n=dv(r,t),i=self.URL||self.webkitURL,s=typeof n!="string"&&i.createObjectURL(n);try{return await SI(s||n,e)}finally{s&&i.revokeObjectURL(s)}}async function SI(r,e){let t=new Image;return t.src=r,e.image&&e.image.decode&&t.decode?(await t.decode(),t):await new Promise((n,i)=>{try{t.onload=()=>n(t),t.onerror=s=>{let o=s instanceof Error?s.message:"error";i(new Error(o))}}catch(s){i(s)}})}var hv=!0;async function pv(r,e,t){let n;sf(t)?n=await of(r,e,t):n=Dm(r,t);let i=e&&e.imagebitmap;return await TI(n,i)}async function TI(r,e=null){if((PI(e)||!hv)&&(e=null),e)try{return await createImageBitmap(r,e)}catch(t){console.warn(t),hv=!1}return await createImageBitmap(r)}function PI(r){if(!r)return!0;for(let e in r)if(Object.prototype.hasOwnProperty.call(r,e))return!1;return!0}function mv(r){return!CI(r,"ftyp",4)||(r[8]&96)===0?null:AI(r)}function AI(r){switch(LI(r,8,12).replace("\0"," ").trim()){case"avif":case"avis":return{extension:"avif",mimeType:"image/avif"};default:return null}}function LI(r,e,t){return String.fromCharCode(...r.slice(e,t))}function MI(r){return[...r].map(e=>e.charCodeAt(0))}function CI(r,e,t=0){let n=MI(e);for(let i=0;i<n.length;++i)if(n[i]!==r[i+t])return!1;return!0}var yn=!1,uc=!0;function af(r){let e=fc(r);return II(e)||OI(e)||BI(e)||kI(e)||RI(e)}function RI(r){let e=new Uint8Array(r instanceof DataView?r.buffer:r),t=mv(e);return t?{mimeType:t.mimeType,width:0,height:0}:null}function II(r){let e=fc(r);return e.byteLength>=24&&e.getUint32(0,yn)===2303741511?{mimeType:"image/png",width:e.getUint32(16,yn),height:e.getUint32(20,yn)}:null}function BI(r){let e=fc(r);return e.byteLength>=10&&e.getUint32(0,yn)===1195984440?{mimeType:"image/gif",width:e.getUint16(6,uc),height:e.getUint16(8,uc)}:null}function kI(r){let e=fc(r);return e.byteLength>=14&&e.getUint16(0,yn)===16973&&e.getUint32(2,uc)===e.byteLength?{mimeType:"image/bmp",width:e.getUint32(18,uc),height:e.getUint32(22,uc)}:null}function OI(r){let e=fc(r);if(!(e.byteLength>=3&&e.getUint16(0,yn)===65496&&e.getUint8(2)===255))return null;let{tableMarkers:n,sofMarkers:i}=DI(),s=2;for(;s+9<e.byteLength;){let o=e.getUint16(s,yn);if(i.has(o))return{mimeType:"image/jpeg",height:e.getUint16(s+5,yn),width:e.getUint16(s+7,yn)};if(!n.has(o))return null;s+=2,s+=e.getUint16(s,yn)}return null}function DI(){let r=new Set([65499,65476,65484,65501,65534]);for(let t=65504;t<65520;++t)r.add(t);return{tableMarkers:r,sofMarkers:new Set([65472,65473,65474,65475,65477,65478,65479,65481,65482,65483,65485,65486,65487,65502])}}function fc(r){if(r instanceof DataView)return r;if(ArrayBuffer.isView(r))return new DataView(r.buffer);if(r instanceof ArrayBuffer)return new DataView(r);throw new Error("toDataView")}async function gv(r,e){let{mimeType:t}=af(r)||{},n=globalThis.loaders?.parseImageNode;return pi(n),await n(r,t)}async function bv(r,e,t){e=e||{};let i=(e.image||{}).type||"auto",{url:s}=t||{},o=NI(i),a;switch(o){case"imagebitmap":a=await pv(r,e,s);break;case"image":a=await of(r,e,s);break;case"data":a=await gv(r,e);break;default:pi(!1)}return i==="data"&&(a=fv(a)),a}function NI(r){switch(r){case"auto":case"data":return uv();default:return lv(r),r}}var FI=["png","jpg","jpeg","gif","webp","bmp","ico","svg","avif"],UI=["image/png","image/jpeg","image/gif","image/webp","image/avif","image/bmp","image/vnd.microsoft.icon","image/svg+xml"],zI={image:{type:"auto",decode:!0}},Nm={dataType:null,batchType:null,id:"image",module:"images",name:"Images",version:cv,mimeTypes:UI,extensions:FI,parse:bv,tests:[r=>!!af(new DataView(r))],options:zI};Ka();var GI=new kt({id:"deck"}),ie=GI;var Fm={};function yv(r){Fm=r}function Ke(r,e,t,n){ie.level>0&&Fm[r]&&Fm[r].call(null,e,t,n)}function $I(r){let e=r[0],t=r[r.length-1];return e==="{"&&t==="}"||e==="["&&t==="]"}var _v={dataType:null,batchType:null,id:"JSON",name:"JSON",module:"",version:"",options:{},extensions:["json","geojson"],mimeTypes:["application/json","application/geo+json"],testText:$I,parseTextSync:JSON.parse};function VI(){let r="9.4.0",e=globalThis.deck&&globalThis.deck.VERSION;if(e&&e!==r)throw new Error(`deck.gl - multiple versions detected: ${e} vs ${r}`);return e||(ie.log(1,`deck.gl ${r}`)(),globalThis.deck={...globalThis.deck,VERSION:r,version:r,log:ie,_registerLoggers:yv},Lm([_v,[Nm,{imagebitmap:{premultiplyAlpha:"none"}}]])),r}var xv=VI();Wt();var M6=`struct LayerUniforms {
  opacity: f32,
};

@group(0) @binding(auto)
var<uniform> layer: LayerUniforms;
`,$2=`layout(std140) uniform layerUniforms {
  uniform float opacity;
} layer;
`,Ob={name:"layer",source:M6,vs:$2,fs:$2,getUniforms:r=>({opacity:Math.pow(r.opacity,.45454545454545453)}),uniformTypes:{opacity:"f32"}};var C6=`

@must_use
fn deckgl_premultiplied_alpha(fragColor: vec4<f32>) -> vec4<f32> {
    return vec4(fragColor.rgb * fragColor.a, fragColor.a); 
};
`,Pi={name:"color",dependencies:[],source:C6,getUniforms:r=>({})};var R6=`const SMOOTH_EDGE_RADIUS: f32 = 0.5;

struct VertexGeometry {
  position: vec4<f32>,
  worldPosition: vec3<f32>,
  worldPositionAlt: vec3<f32>,
  normal: vec3<f32>,
  uv: vec2<f32>,
  pickingColor: vec3<f32>,
};

var<private> geometry_: VertexGeometry = VertexGeometry(
  vec4<f32>(0.0, 0.0, 1.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec2<f32>(0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0)
);

struct FragmentGeometry {
  uv: vec2<f32>,
};

var<private> fragmentGeometry: FragmentGeometry;

fn smoothedge(edge: f32, x: f32) -> f32 {
  return smoothstep(edge - SMOOTH_EDGE_RADIUS, edge + SMOOTH_EDGE_RADIUS, x);
}
`,V2="#define SMOOTH_EDGE_RADIUS 0.5",I6=`${V2}

struct VertexGeometry {
  vec4 position;
  vec3 worldPosition;
  vec3 worldPositionAlt;
  vec3 normal;
  vec2 uv;
  vec3 pickingColor;
} geometry = VertexGeometry(
  vec4(0.0, 0.0, 1.0, 0.0),
  vec3(0.0),
  vec3(0.0),
  vec3(0.0),
  vec2(0.0),
  vec3(0.0)
);
`,B6=`${V2}

struct FragmentGeometry {
  vec2 uv;
};
FragmentGeometry geometry;

float smoothedge(float edge, float x) {
  return smoothstep(edge - SMOOTH_EDGE_RADIUS, edge + SMOOTH_EDGE_RADIUS, x);
}
`,Jf={name:"geometry",source:R6,vs:I6,fs:B6};Wt();st();var te;(function(r){r[r.Start=1]="Start",r[r.Move=2]="Move",r[r.End=4]="End",r[r.Cancel=8]="Cancel"})(te||(te={}));var ze;(function(r){r[r.None=0]="None",r[r.Left=1]="Left",r[r.Right=2]="Right",r[r.Up=4]="Up",r[r.Down=8]="Down",r[r.Horizontal=3]="Horizontal",r[r.Vertical=12]="Vertical",r[r.All=15]="All"})(ze||(ze={}));var V;(function(r){r[r.Possible=1]="Possible",r[r.Began=2]="Began",r[r.Changed=4]="Changed",r[r.Ended=8]="Ended",r[r.Recognized=8]="Recognized",r[r.Cancelled=16]="Cancelled",r[r.Failed=32]="Failed"})(V||(V={}));var W2="compute",Db="auto",Ls="manipulation",Ms="none",Wc="pan-x",jc="pan-y";function Nb(r){if(r.includes(Ms))return Ms;let e=r.includes(Wc),t=r.includes(jc);return e&&t?Ms:e||t?e?Wc:jc:r.includes(Ls)?Ls:Db}var Hc=class{constructor(e,t){this.actions="",this.manager=e,this.set(t)}set(e){e===W2&&(e=this.compute()),this.manager.element&&(this.manager.element.style.touchAction=e,this.actions=e)}update(){this.set(this.manager.options.touchAction)}compute(){let e=[];for(let t of this.manager.recognizers)t.options.enable&&(e=e.concat(t.getTouchAction()));return Nb(e.join(" "))}};function Xo(r){return r.trim().split(/\s+/g)}function ed(r,e,t){if(r)for(let n of Xo(e))r.addEventListener(n,t,!1)}function td(r,e,t){if(r)for(let n of Xo(e))r.removeEventListener(n,t,!1)}function Fb(r){return(r.ownerDocument||r).defaultView}function Ub(r,e){let t=r;for(;t;){if(t===e)return!0;t=t.parentNode}return!1}function rd(r){let e=r.length;if(e===1)return{x:Math.round(r[0].clientX),y:Math.round(r[0].clientY)};let t=0,n=0,i=0;for(;i<e;)t+=r[i].clientX,n+=r[i].clientY,i++;return{x:Math.round(t/e),y:Math.round(n/e)}}function zb(r){let e=[],t=0;for(;t<r.pointers.length;)e[t]={clientX:Math.round(r.pointers[t].clientX),clientY:Math.round(r.pointers[t].clientY)},t++;return{timeStamp:Date.now(),pointers:e,center:rd(e),deltaX:r.deltaX,deltaY:r.deltaY}}function Zo(r,e){let t=e.x-r.x,n=e.y-r.y;return Math.sqrt(t*t+n*n)}function Yc(r,e){let t=e.clientX-r.clientX,n=e.clientY-r.clientY;return Math.sqrt(t*t+n*n)}function j2(r,e){let t=e.x-r.x,n=e.y-r.y;return Math.atan2(n,t)*180/Math.PI}function Gb(r,e){let t=e.clientX-r.clientX,n=e.clientY-r.clientY;return Math.atan2(n,t)*180/Math.PI}function Ko(r,e){return r===e?ze.None:Math.abs(r)>=Math.abs(e)?r<0?ze.Left:ze.Right:e<0?ze.Up:ze.Down}function H2(r,e){let t=e.center,n=r.offsetDelta,i=r.prevDelta,s=r.prevInput;return(e.eventType===te.Start||s?.eventType===te.End)&&(i=r.prevDelta={x:s?.deltaX||0,y:s?.deltaY||0},n=r.offsetDelta={x:t.x,y:t.y}),{deltaX:i.x+(t.x-n.x),deltaY:i.y+(t.y-n.y)}}function nd(r,e,t){return{x:e/r||0,y:t/r||0}}function Y2(r,e){return Yc(e[0],e[1])/Yc(r[0],r[1])}function q2(r,e){return Gb(e[1],e[0])-Gb(r[1],r[0])}function X2(r,e){let t=r.lastInterval||e,n=e.timeStamp-t.timeStamp,i,s,o,a;if(e.eventType!==te.Cancel&&(n>25||t.velocity===void 0)){let c=e.deltaX-t.deltaX,l=e.deltaY-t.deltaY,u=nd(n,c,l);s=u.x,o=u.y,i=Math.abs(u.x)>Math.abs(u.y)?u.x:u.y,a=Ko(c,l),r.lastInterval=e}else i=t.velocity,s=t.velocityX,o=t.velocityY,a=t.direction;e.velocity=i,e.velocityX=s,e.velocityY=o,e.direction=a}function $b(r,e){return"pointerId"in r?r.pointerId:e}function Z2(r,e){r.movementOrigin=new Map(e.map((t,n)=>[$b(t,n),{clientX:t.clientX,clientY:t.clientY}])),r.firstMovementTime=void 0}function O6(r,e){let t=e.pointers.map($b);if(r.movementOrigin?.size===t.length&&t.every(i=>r.movementOrigin.has(i))||Z2(r,e.pointers),e.distancePerPointer=e.pointers.map((i,s)=>Yc(r.movementOrigin.get(t[s]),i)),e.eventType&te.Move&&e.distancePerPointer.some(i=>i>0)&&(r.firstMovementTime??(r.firstMovementTime=e.timeStamp)),e.movementDeltaTime=r.firstMovementTime===void 0?0:e.timeStamp-r.firstMovementTime,e.eventType&(te.End|te.Cancel)){let i=e.changedPointers.map(s=>$b(s,e.pointers.indexOf(s)));Z2(r,e.pointers.filter((s,o)=>!i.includes(t[o])))}}function K2(r,e){let{session:t}=r,{pointers:n}=e,{length:i}=n;t.firstInput||(t.firstInput=zb(e)),i>1&&!t.firstMultiple?t.firstMultiple=zb(e):i===1&&(t.firstMultiple=!1);let{firstInput:s,firstMultiple:o}=t,a=o?o.center:s.center,c=e.center=rd(n);e.timeStamp=Date.now(),e.deltaTime=e.timeStamp-s.timeStamp,O6(t,e),e.angle=j2(a,c),e.distance=Zo(a,c);let{deltaX:l,deltaY:u}=H2(t,e);e.deltaX=l,e.deltaY=u,e.offsetDirection=Ko(e.deltaX,e.deltaY);let f=nd(e.deltaTime,e.deltaX,e.deltaY);e.overallVelocityX=f.x,e.overallVelocityY=f.y,e.overallVelocity=Math.abs(f.x)>Math.abs(f.y)?f.x:f.y,e.scale=o?Y2(o.pointers,n):1,e.rotation=o?q2(o.pointers,n):0,e.maxPointers=t.prevInput?e.pointers.length>t.prevInput.maxPointers?e.pointers.length:t.prevInput.maxPointers:e.pointers.length;let d=r.element;return Ub(e.srcEvent.target,d)&&(d=e.srcEvent.target),e.target=d,X2(t,e),e}function Q2(r,e,t){let n=t.pointers.length,i=t.changedPointers.length,s=e&te.Start&&n-i===0,o=e&(te.End|te.Cancel)&&n-i===0;t.isFirst=!!s,t.isFinal=!!o,s&&(r.session={}),t.eventType=e;let a=K2(r,t);r.emit("hammer.input",a),r.recognize(a),r.session.prevInput=a}var qc=class{constructor(e){this.evEl="",this.evWin="",this.evTarget="",this.domHandler=t=>{this.manager.options.enable&&this.handler(t)},this.manager=e,this.element=e.element,this.target=e.options.inputTarget||e.element}callback(e,t){Q2(this.manager,e,t)}init(){ed(this.element,this.evEl,this.domHandler),ed(this.target,this.evTarget,this.domHandler),ed(Fb(this.element),this.evWin,this.domHandler)}destroy(){td(this.element,this.evEl,this.domHandler),td(this.target,this.evTarget,this.domHandler),td(Fb(this.element),this.evWin,this.domHandler)}};var D6={pointerdown:te.Start,pointermove:te.Move,pointerup:te.End,pointercancel:te.Cancel,pointerout:te.Cancel},N6="pointerdown",F6="pointermove pointerup pointercancel",Xc=class extends qc{constructor(e){super(e),this.evEl=N6,this.evWin=F6,this.store=this.manager.session.pointerEvents=[],this.init()}handler(e){let{store:t}=this,n=!1,i=D6[e.type],s=e.pointerType,o=s==="touch",a=t.findIndex(c=>c.pointerId===e.pointerId);i&te.Start&&(e.buttons||o)?a<0&&(t.push(e),a=t.length-1):i&(te.End|te.Cancel)&&(n=!0),!(a<0)&&(t[a]=e,this.callback(i,{pointers:t,changedPointers:[e],eventType:i,pointerType:s,srcEvent:e}),n&&t.splice(a,1))}};var U6=["","webkit","Moz","MS","ms","o"];function J2(r,e){let t=e[0].toUpperCase()+e.slice(1);for(let n of U6){let i=n?n+t:e;if(i in r)return i}}var z6=1,eS=2,tS={touchAction:"compute",enable:!0,inputTarget:null,cssProps:{userSelect:"none",userDrag:"none",touchCallout:"none",tapHighlightColor:"rgba(0,0,0,0)"}},Zc=class{constructor(e,t){this.options={...tS,...t,cssProps:{...tS.cssProps,...t.cssProps},inputTarget:t.inputTarget||e},this.handlers={},this.session={},this.recognizers=[],this.oldCssProps={},this.element=e,this.input=new Xc(this),this.touchAction=new Hc(this,this.options.touchAction),this.toggleCssProps(!0)}set(e){return Object.assign(this.options,e),e.touchAction&&this.touchAction.update(),e.inputTarget&&(this.input.destroy(),this.input.target=e.inputTarget,this.input.init()),this}stop(e){this.session.stopped=e?eS:z6}recognize(e){let{session:t}=this;if(t.stopped)return;this.session.prevented&&e.srcEvent.preventDefault();let n,{recognizers:i}=this,{curRecognizer:s}=t;(!s||s&&s.state&V.Recognized)&&(s=t.curRecognizer=null);let o=0;for(;o<i.length;)n=i[o],t.stopped!==eS&&(!s||n===s||n.canRecognizeWith(s))?n.recognize(e):n.reset(),!s&&n.state&(V.Began|V.Changed|V.Ended)&&(s=t.curRecognizer=n),o++}get(e){let{recognizers:t}=this;for(let n=0;n<t.length;n++)if(t[n].options.event===e)return t[n];return null}add(e){if(Array.isArray(e)){for(let n of e)this.add(n);return this}let t=this.get(e.options.event);return t&&this.remove(t),this.recognizers.push(e),e.manager=this,this.touchAction.update(),e}remove(e){if(Array.isArray(e)){for(let n of e)this.remove(n);return this}let t=typeof e=="string"?this.get(e):e;if(t){let{recognizers:n}=this,i=n.indexOf(t);i!==-1&&(n.splice(i,1),this.touchAction.update())}return this}on(e,t){if(!e||!t)return;let{handlers:n}=this;for(let i of Xo(e))n[i]=n[i]||[],n[i].push(t)}off(e,t){if(!e)return;let{handlers:n}=this;for(let i of Xo(e))t?n[i]&&n[i].splice(n[i].indexOf(t),1):delete n[i]}emit(e,t){let n=this.handlers[e]&&this.handlers[e].slice();if(!n||!n.length)return;let i=t;i.type=e,i.preventDefault=function(){t.srcEvent.preventDefault()};let s=0;for(;s<n.length;)n[s](i),s++}destroy(){this.toggleCssProps(!1),this.handlers={},this.session={},this.input.destroy(),this.element=null}toggleCssProps(e){let{element:t}=this;if(t){for(let[n,i]of Object.entries(this.options.cssProps)){let s=J2(t.style,n);e?(this.oldCssProps[s]=t.style[s],t.style[s]=i):t.style[s]=this.oldCssProps[s]||""}e||(this.oldCssProps={})}}};var G6=1;function rS(){return G6++}function Vb(r){return r&V.Cancelled?"cancel":r&V.Ended?"end":r&V.Changed?"move":r&V.Began?"start":""}var Yr=class{constructor(e){this.options=e,this.id=rS(),this.state=V.Possible,this.simultaneous={},this.requireFail=[]}set(e){return Object.assign(this.options,e),this.manager.touchAction.update(),this}recognizeWith(e){if(Array.isArray(e)){for(let i of e)this.recognizeWith(i);return this}let t;if(typeof e=="string"){if(t=this.manager.get(e),!t)throw new Error(`Cannot find recognizer ${e}`)}else t=e;let{simultaneous:n}=this;return n[t.id]||(n[t.id]=t,t.recognizeWith(this)),this}dropRecognizeWith(e){if(Array.isArray(e)){for(let n of e)this.dropRecognizeWith(n);return this}let t;return typeof e=="string"?t=this.manager.get(e):t=e,t&&delete this.simultaneous[t.id],this}requireFailure(e){if(Array.isArray(e)){for(let i of e)this.requireFailure(i);return this}let t;if(typeof e=="string"){if(t=this.manager.get(e),!t)throw new Error(`Cannot find recognizer ${e}`)}else t=e;let{requireFail:n}=this;return n.indexOf(t)===-1&&(n.push(t),t.requireFailure(this)),this}dropRequireFailure(e){if(Array.isArray(e)){for(let n of e)this.dropRequireFailure(n);return this}let t;if(typeof e=="string"?t=this.manager.get(e):t=e,t){let n=this.requireFail.indexOf(t);n>-1&&this.requireFail.splice(n,1)}return this}hasRequireFailures(){return!!this.requireFail.find(e=>e.options.enable)}canRecognizeWith(e){return!!this.simultaneous[e.id]}emit(e){if(!e)return;let{state:t}=this;t<V.Ended&&this.manager.emit(this.options.event+Vb(t),e),this.manager.emit(this.options.event,e),e.additionalEvent&&this.manager.emit(e.additionalEvent,e),t>=V.Ended&&this.manager.emit(this.options.event+Vb(t),e)}tryEmit(e){this.canEmit()?this.emit(e):this.state=V.Failed}canEmit(){let e=0;for(;e<this.requireFail.length;){if(!(this.requireFail[e].state&(V.Failed|V.Possible)))return!1;e++}return!0}recognize(e){let t={...e};if(!this.options.enable){this.reset(),this.state=V.Failed;return}this.state&(V.Recognized|V.Cancelled|V.Failed)&&(this.state=V.Possible),this.state=this.process(t),this.state&(V.Began|V.Changed|V.Ended|V.Cancelled)&&this.tryEmit(t)}getEventNames(){return[this.options.event]}reset(){}};function $6(r){return Math.abs(((r+180)%360+360)%360-180)}function V6(r,e){return(e.distance===void 0||r.distance>=e.distance)&&(e.distancePerPointer===void 0||r.distancePerPointer.length>0&&r.distancePerPointer.every(t=>t>=e.distancePerPointer))&&(e.movementDeltaTime===void 0||r.movementDeltaTime>=e.movementDeltaTime)&&(e.rotation===void 0||$6(r.rotation)>=e.rotation)&&(e.scale===void 0||Math.abs(r.scale-1)>=e.scale)}var Cs=class extends Yr{attrTest(e){let t=this.options.pointers;return t===0||e.pointers.length===t}coherentTest(e){let t=this.options.coherent;return!t?.length||t.some(n=>V6(e,n))}process(e){let{state:t}=this,{eventType:n}=e,i=t&(V.Began|V.Changed),s=this.attrTest(e);return i&&(n&te.Cancel||!s)?t|V.Cancelled:i||s?n&te.End?t|V.Ended:t&V.Began?t|V.Changed:V.Began:V.Failed}};var W6=["","start","move","end","cancel"],Qo=class extends Yr{constructor(e={}){super({enable:!0,event:"doubleclickdrag",pointers:1,interval:500,time:350,threshold:28,dragThreshold:1,pixelsPerScale:120,...e}),this._tapStart=null,this._lastTap=null,this._drag=null,this._emittedStart=!1}getTouchAction(){return[Ls]}getEventNames(){return W6.map(e=>this.options.event+e)}process(e){let{options:t}=this;return e.pointers.length===t.pointers?e.eventType&te.Start?this._handleStart(e):e.eventType&te.Move?this._handleMove(e):e.eventType&te.Cancel?this._handleEnd(e,!0):e.eventType&te.End?this._handleEnd(e,!1):V.Failed:(this.reset(),V.Failed)}reset(){this._tapStart=null,this._lastTap=null,this._drag=null,this._emittedStart=!1}emit(e){if(e){if(this.state===V.Began){if(!this._drag?.active||this._emittedStart)return;this._emittedStart=!0,this.manager.emit(`${this.options.event}start`,e),this.manager.emit(this.options.event,e);return}if(this.state===V.Changed){if(!this._emittedStart)return;this.manager.emit(`${this.options.event}move`,e),this.manager.emit(this.options.event,e);return}if(this.state===V.Ended){if(!this._emittedStart)return;this.manager.emit(this.options.event,e),this.manager.emit(`${this.options.event}end`,e),this._emittedStart=!1;return}if(this.state===V.Cancelled){if(!this._emittedStart)return;this.manager.emit(this.options.event,e),this.manager.emit(`${this.options.event}cancel`,e),this._emittedStart=!1}}}_handleStart(e){let t=this._getPointerId(e);return this._lastTap&&this._isTapMatch(e,this._lastTap)?(this._tapStart=null,this._lastTap=null,this._drag={startCenter:e.center,pointerId:t,active:!1},this._emittedStart=!1,V.Began):(this._tapStart={center:e.center,timeStamp:e.timeStamp,pointerId:t},this._lastTap=null,this._drag=null,this._emittedStart=!1,V.Failed)}_handleMove(e){if(!this._drag||!this._isSamePointer(e,this._drag.pointerId))return V.Failed;let t=this._drag.startCenter.y-e.center.y;return!this._drag.active&&Math.abs(t)<this.options.dragThreshold?V.Began:(this._drag.active=!0,e.scale=Math.pow(2,t/this.options.pixelsPerScale),this._emittedStart?V.Changed:V.Began)}_handleEnd(e,t){if(this._drag&&this._isSamePointer(e,this._drag.pointerId)){let{active:n,startCenter:i}=this._drag;if(this._drag=null,this._tapStart=null,this._lastTap=null,!n)return this._emittedStart=!1,V.Failed;let s=i.y-e.center.y;return e.scale=Math.pow(2,s/this.options.pixelsPerScale),t?V.Cancelled:V.Ended}return!this._tapStart||!this._isSamePointer(e,this._tapStart.pointerId)?(t&&this.reset(),V.Failed):(this._isValidTap(e)?this._lastTap={center:e.center,timeStamp:e.timeStamp,pointerId:this._tapStart.pointerId}:this._lastTap=null,this._tapStart=null,V.Failed)}_isTapMatch(e,t){return e.timeStamp-t.timeStamp<=this.options.interval&&Zo(e.center,t.center)<=this.options.threshold}_isValidTap(e){return e.deltaTime<=this.options.time&&e.distance<=this.options.threshold}_getPointerId(e){return"pointerId"in e.srcEvent?e.srcEvent.pointerId:null}_isSamePointer(e,t){return t===null||this._getPointerId(e)===t}};var Rs=class extends Yr{constructor(e={}){super({enable:!0,event:"tap",pointers:1,taps:1,interval:300,time:250,threshold:9,posThreshold:10,...e}),this.pTime=null,this.pCenter=null,this._timer=null,this._input=null,this.count=0}getTouchAction(){return[Ls]}process(e){let{options:t}=this,n=e.pointers.length===t.pointers,i=e.distance<t.threshold,s=e.deltaTime<t.time;if(this.reset(),e.eventType&te.Start&&this.count===0)return this.failTimeout();if(i&&s&&n){if(e.eventType!==te.End)return this.failTimeout();let o=this.pTime?e.timeStamp-this.pTime<t.interval:!0,a=!this.pCenter||Zo(this.pCenter,e.center)<t.posThreshold;if(this.pTime=e.timeStamp,this.pCenter=e.center,!a||!o?this.count=1:this.count+=1,this._input=e,this.count%t.taps===0)return this.hasRequireFailures()?(this._timer=setTimeout(()=>{this.state=V.Recognized,this.tryEmit(this._input)},t.interval),V.Began):V.Recognized}return V.Failed}failTimeout(){return this._timer=setTimeout(()=>{this.state=V.Failed},this.options.interval),V.Failed}reset(){clearTimeout(this._timer)}emit(e){this.state===V.Recognized&&(e.tapCount=this.count,this.manager.emit(this.options.event,e))}};var Jo=class extends Cs{constructor(){super(...arguments),this.wheelSession=null,this.wheelSessionUnsubscribe=null,this.handleWheelSessionEvent=e=>{e.device==="trackpad"&&this.handleTrackpadEvent(e)}}set(e){let{wheelSession:t,...n}=e;return t&&t!==this.wheelSession&&(this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=null,this.wheelSession=t),super.set(n),this.updateWheelSessionSubscription(),this}getTrackpadInput(e,t={}){let{srcEvent:n}=e,i=t.deltaX??e.deltaX,s=t.deltaY??e.deltaY,o=Ko(i,s),a=Math.sqrt(e.deltaX*e.deltaX+e.deltaY*e.deltaY),c=n;return{pointers:[c,c],changedPointers:[c,c],pointerType:"trackpad",srcEvent:c,eventType:e.eventType,timeStamp:e.timeStamp,deltaTime:e.deltaTime,center:e.center,deltaX:i,deltaY:s,angle:Math.atan2(s,i)*180/Math.PI,distance:Math.sqrt(i*i+s*s),distancePerPointer:[a,a],movementDeltaTime:e.deltaTime,scale:1,rotation:0,direction:o,offsetDirection:o,velocity:e.velocity,velocityX:e.velocityX,velocityY:e.velocityY,overallVelocity:e.overallVelocity,overallVelocityX:e.overallVelocityX,overallVelocityY:e.overallVelocityY,maxPointers:2,target:n.target||this.manager.element,additionalEvent:"",...t}}updateWheelSessionSubscription(){let e=!!(this.wheelSession&&this.options.enable&&this.options.trackpad&&this.options.pointers===2);e&&!this.wheelSessionUnsubscribe?this.wheelSessionUnsubscribe=this.wheelSession.on(this.handleWheelSessionEvent):!e&&this.wheelSessionUnsubscribe&&(this.wheelSessionUnsubscribe(),this.wheelSessionUnsubscribe=null)}};var j6=["","start","move","end","cancel","up","down","left","right"],Ai=class extends Jo{constructor(e={}){super({enable:!0,pointers:1,event:"pan",threshold:10,direction:ze.All,trackpad:!1,coherent:[],...e}),this.trackpadGesture=!1,this.pX=null,this.pY=null}getTouchAction(){let{options:{direction:e}}=this,t=[];return e&ze.Horizontal&&t.push(jc),e&ze.Vertical&&t.push(Wc),t}getEventNames(){return j6.map(e=>this.options.event+e)}directionTest(e){let{options:t}=this,n=!0,{distance:i}=e,{direction:s}=e,o=e.deltaX,a=e.deltaY;return s&t.direction||(t.direction&ze.Horizontal?(s=o===0?ze.None:o<0?ze.Left:ze.Right,n=o!==this.pX,i=Math.abs(e.deltaX)):(s=a===0?ze.None:a<0?ze.Up:ze.Down,n=a!==this.pY,i=Math.abs(e.deltaY))),e.direction=s,n&&i>t.threshold&&!!(s&t.direction)}attrTest(e){let t=!!(this.state&V.Began),n=!(this.options.coherent?.length&&e.eventType&(te.End|te.Cancel));return super.attrTest(e)&&(t||n&&this.coherentTest(e)&&this.directionTest(e))}emit(e){this.pX=e.deltaX,this.pY=e.deltaY;let t=ze[e.direction].toLowerCase();t&&(e.additionalEvent=this.options.event+t),super.emit(e)}handleTrackpadEvent(e){e.isFirst&&(this.trackpadGesture=!e.srcEvent.ctrlKey,!this.trackpadGesture&&this.state&(V.Recognized|V.Cancelled|V.Failed)&&(this.state=V.Possible)),this.trackpadGesture&&(this.recognize(this.getTrackpadInput(e,{deltaX:-e.deltaX,deltaY:-e.deltaY,velocity:-e.velocity,velocityX:-e.velocityX,velocityY:-e.velocityY,overallVelocity:-e.overallVelocity,overallVelocityX:-e.overallVelocityX,overallVelocityY:-e.overallVelocityY})),e.isFinal&&(this.trackpadGesture=!1))}};var H6=["","start","move","end","cancel","in","out"],ea=class extends Jo{constructor(e={}){super({enable:!0,event:"pinch",threshold:0,pointers:2,trackpad:!1,coherent:[],...e}),this.trackpadGesture=!1}getTouchAction(){return[Ms]}getEventNames(){return H6.map(e=>this.options.event+e)}attrTest(e){let t=!!this.options.coherent?.length,n=!!(this.state&V.Began),i=!(t&&e.eventType&(te.End|te.Cancel));return super.attrTest(e)&&(n||i&&(t?this.coherentTest(e):Math.abs(e.scale-1)>this.options.threshold))}emit(e){if(e.scale!==1){let t=e.scale<1?"in":"out";e.additionalEvent=this.options.event+t}super.emit(e)}handleTrackpadEvent(e){e.isFirst&&(this.trackpadGesture=e.srcEvent.ctrlKey,!this.trackpadGesture&&this.state&(V.Recognized|V.Cancelled|V.Failed)&&(this.state=V.Possible)),this.trackpadGesture&&(this.recognize(this.getTrackpadInput(e,{deltaX:0,deltaY:0,velocity:0,velocityX:0,velocityY:0,overallVelocity:0,overallVelocityX:0,overallVelocityY:0,scale:Math.exp(-e.deltaY/100)})),e.isFinal&&(this.trackpadGesture=!1))}};var En=class{constructor(e,t,n){this.element=e,this.callback=t,this.options=n}listen(e,t){t?this.element.addEventListener(e,this.handleEvent,{passive:!1}):this.element.removeEventListener(e,this.handleEvent)}};var nS=typeof navigator<"u"&&navigator.userAgent?navigator.userAgent.toLowerCase():"";var Z6=nS.indexOf("firefox")!==-1,K6=40,Q6=.25,id=class extends En{constructor(e,t,n){n.enable=n.enable??!1,super(e,t,n),this.handleEvent=i=>{if(!this.options.enable)return;let s=i.deltaY;globalThis.WheelEvent&&(Z6&&i.deltaMode===globalThis.WheelEvent.DOM_DELTA_PIXEL&&(s/=globalThis.devicePixelRatio),i.deltaMode===globalThis.WheelEvent.DOM_DELTA_LINE&&(s*=K6)),i.shiftKey&&s&&(s=s*Q6),this.callback({type:"wheel",center:{x:i.clientX,y:i.clientY},delta:-s,device:this.options.wheelSession?.device??"unknown",srcEvent:i,pointerType:"mouse",target:i.target})},n.enable&&(this.wheelSessionUnsubscribe=this.options.wheelSession?.on(()=>{}),this.listen("wheel",!0))}destroy(){this.listen("wheel",!1),this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=void 0}enableEventType(e,t){e==="wheel"&&this.options.enable!==t&&(this.options.enable=t,t&&!this.wheelSessionUnsubscribe&&(this.wheelSessionUnsubscribe=this.options.wheelSession?.on(()=>{})),this.listen("wheel",t),t||(this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=void 0))}};var J6=4.000244140625,iS=40,eN=0,tN=1,rN=40,sS=40,nN=120,iN={classificationDelay:32,endDelay:80},sd=class{constructor(e,t={}){this.subscriptions=new Map,this.session=null,this.classificationTimer=null,this.endTimer=null,this.pressedControlKeys=new Set,this.listeningForControlKeys=!1,this.handleEvent=n=>{if(!this.hasSubscribers)return"unknown";let i=oN(n,this.pressedControlKeys.size>0),s=this.session;if(s&&i.timeStamp-s.lastTimeStamp>=this.options.endDelay){if(this.end(),!this.hasSubscribers)return"unknown";s=null}s?(this.scheduleEnd(),this.addSample(s,i)):(s=this.startPendingSession(i),this.scheduleEnd());let{device:o}=s;return o==="unknown"&&(o=Wb(s.samples,!1),o!=="unknown"&&this.begin(s,o)),o},this.finishClassification=()=>{if(this.classificationTimer=null,!this.session||this.session.device!=="unknown")return;let n=this.session,i=Wb(n.samples,!0);this.begin(n,i==="unknown"?"mouse":i)},this.end=()=>{if(!this.session)return;if(this.session.device==="unknown"){let i=this.session,s=Wb(i.samples,!0);this.begin(i,s==="unknown"?"mouse":s)}if(!this.session)return;let n=this.session;this.emit(te.End,n.lastEvent),this.reset()},this.handleKeyDown=n=>{n.key==="Control"&&this.pressedControlKeys.add(n.code||n.key)},this.handleKeyUp=n=>{n.key==="Control"&&(n.code?this.pressedControlKeys.delete(n.code):this.pressedControlKeys.clear())},this.handleWindowBlur=()=>{this.pressedControlKeys.clear()},this.element=e,this.options={...iN,...t},this.element?.addEventListener("wheel",this.handleEvent,{passive:!0})}get hasSubscribers(){return this.subscriptions.size>0}get device(){return this.session?.device??"unknown"}on(e){let t={listener:e};return this.subscriptions.set(e,t),this.updateControlKeyEventListeners(),()=>{this.subscriptions.get(e)===t&&this.off(e)}}off(e){this.subscriptions.delete(e),this.updateControlKeyEventListeners(),this.hasSubscribers||this.reset()}cancel(){let e=this.session;e&&e.device!=="unknown"&&this.emit(te.Cancel,e.lastEvent),this.reset()}destroy(){this.cancel(),this.subscriptions.clear(),this.updateControlKeyEventListeners(),this.element?.removeEventListener("wheel",this.handleEvent)}startPendingSession(e){let t={samples:[e],device:"unknown",firstTimeStamp:e.timeStamp,lastTimeStamp:e.timeStamp,totalDeltaX:e.deltaX,totalDeltaY:e.deltaY,velocityX:0,velocityY:0,lastEvent:e.event};return this.session=t,this.classificationTimer=globalThis.setTimeout(this.finishClassification,this.options.classificationDelay),t}addSample(e,t){if(e.samples.push(t),e.lastTimeStamp=t.timeStamp,e.lastEvent=t.event,e.totalDeltaX+=t.deltaX,e.totalDeltaY+=t.deltaY,e.device!=="unknown"){let n=e.samples[e.samples.length-2],i=t.timeStamp-n.timeStamp;e.velocityX=i>0?t.deltaX/i:0,e.velocityY=i>0?t.deltaY/i:0,this.emit(te.Move,t.event,{velocityX:e.velocityX,velocityY:e.velocityY})}}begin(e,t){e.device=t,this.clearClassificationTimer(),this.emit(te.Start,e.samples[0].event);let n=e.lastTimeStamp-e.firstTimeStamp;e.velocityX=n>0?e.totalDeltaX/n:0,e.velocityY=n>0?e.totalDeltaY/n:0,this.emit(te.Move,e.lastEvent,{velocityX:e.velocityX,velocityY:e.velocityY})}scheduleEnd(){this.clearEndTimer(),this.endTimer=globalThis.setTimeout(this.end,this.options.endDelay)}emit(e,t,n){let i=this.session;if(!i||i.device==="unknown")return;let s=e===te.Start,o=e===te.End||e===te.Cancel,a=s?i.firstTimeStamp:i.lastTimeStamp,c=s?0:Math.max(0,a-i.firstTimeStamp),l=s?0:i.totalDeltaX,u=s?0:i.totalDeltaY,f=c>0?l/c:0,d=c>0?u/c:0,h=s?0:n?.velocityX??i.velocityX,p=s?0:n?.velocityY??i.velocityY,m={eventType:e,device:i.device,srcEvent:t,timeStamp:a,center:{x:t.clientX,y:t.clientY},deltaX:l,deltaY:u,deltaTime:c,velocity:Math.abs(h)>Math.abs(p)?h:p,velocityX:h,velocityY:p,overallVelocity:Math.abs(f)>Math.abs(d)?f:d,overallVelocityX:f,overallVelocityY:d,isFirst:s,isFinal:o};for(let{listener:b}of[...this.subscriptions.values()])b(m)}reset(){this.clearClassificationTimer(),this.clearEndTimer(),this.session=null}clearClassificationTimer(){this.classificationTimer!==null&&(globalThis.clearTimeout(this.classificationTimer),this.classificationTimer=null)}clearEndTimer(){this.endTimer!==null&&(globalThis.clearTimeout(this.endTimer),this.endTimer=null)}updateControlKeyEventListeners(){let e=this.hasSubscribers,t=sN();!t||e===this.listeningForControlKeys||(this.listeningForControlKeys=e,e?(t.addEventListener("keydown",this.handleKeyDown,!0),t.addEventListener("keyup",this.handleKeyUp,!0),t.addEventListener("blur",this.handleWindowBlur)):(t.removeEventListener("keydown",this.handleKeyDown,!0),t.removeEventListener("keyup",this.handleKeyUp,!0),t.removeEventListener("blur",this.handleWindowBlur),this.pressedControlKeys.clear()))}};function sN(){return typeof window<"u"?window:globalThis.document?.defaultView}function oN(r,e){let t=r.deltaX,n=r.deltaY;return r.deltaMode===tN&&(t*=iS,n*=iS),{event:r,timeStamp:r.timeStamp,deltaX:t,deltaY:n,isControlKeyDown:e}}function Wb(r,e){return r.some(({event:t,isControlKeyDown:n})=>t.ctrlKey&&!n)?"trackpad":r.some(({event:t})=>t.deltaMode!==eN)||r.some(aN)||r.every(({event:t})=>{let n=t.wheelDelta;return n!==void 0&&Math.abs(n)%40===0})?"mouse":r.some(({deltaX:t})=>t!==0)||r.length>1&&cN(r)?"trackpad":e?"mouse":"unknown"}function aN({event:r,deltaX:e,deltaY:t}){if(e!==0||t===0)return!1;let n=Math.abs(t/J6);if(Number.isInteger(n))return!0;let i=r.wheelDelta;return typeof i=="number"&&i!==0&&i%nN===0}function cN(r){for(let e=0;e<r.length;e++){let t=r[e];if(Math.abs(t.deltaX)>sS||Math.abs(t.deltaY)>sS||e>0&&t.timeStamp-r[e-1].timeStamp>rN)return!1}return!0}var oS=["mousedown","mousemove","mouseup","mouseover","mouseout","mouseenter","mouseleave"],od=class extends En{constructor(e,t,n){super(e,t,{enable:!0,...n}),this.handleEvent=s=>{this.handleOverEvent(s),this.handleOutEvent(s),this.handleEnterEvent(s),this.handleLeaveEvent(s),this.handleMoveEvent(s)},this.pressed=!1;let{enable:i=!1}=this.options;this.enableMoveEvent=i,this.enableLeaveEvent=i,this.enableEnterEvent=i,this.enableOutEvent=i,this.enableOverEvent=i,i&&oS.forEach(s=>this.listen(s,!0))}destroy(){oS.forEach(e=>this.listen(e,!1))}enableEventType(e,t){switch(e){case"pointermove":this.enableMoveEvent!==t&&(this.enableMoveEvent=t,this.listen("mousedown",t),this.listen("mousemove",t),this.listen("mouseup",t));break;case"pointerover":this.enableOverEvent!==t&&(this.enableOverEvent=t,this.listen("mouseover",t));break;case"pointerout":this.enableOutEvent!==t&&(this.enableOutEvent=t,this.listen("mouseout",t));break;case"pointerenter":this.enableEnterEvent!==t&&(this.enableEnterEvent=t,this.listen("mouseenter",t));break;case"pointerleave":this.enableLeaveEvent!==t&&(this.enableLeaveEvent=t,this.listen("mouseleave",t));break;default:}}handleOverEvent(e){this.enableOverEvent&&e.type==="mouseover"&&this._emit("pointerover",e)}handleOutEvent(e){this.enableOutEvent&&e.type==="mouseout"&&this._emit("pointerout",e)}handleEnterEvent(e){this.enableEnterEvent&&e.type==="mouseenter"&&this._emit("pointerenter",e)}handleLeaveEvent(e){this.enableLeaveEvent&&e.type==="mouseleave"&&this._emit("pointerleave",e)}handleMoveEvent(e){if(this.enableMoveEvent)switch(e.type){case"mousedown":e.button>=0&&(this.pressed=!0);break;case"mousemove":e.buttons===0&&(this.pressed=!1),this.pressed||this._emit("pointermove",e);break;case"mouseup":this.pressed=!1;break;default:}}_emit(e,t){this.callback({type:e,center:{x:t.clientX,y:t.clientY},srcEvent:t,pointerType:"mouse",target:t.target})}};var aS=["keydown","keyup"],ad=class extends En{constructor(e,t,n){super(e,t,{enable:!0,tabIndex:0,...n}),this.handleEvent=s=>{let o=s.target||s.srcElement;o.tagName==="INPUT"&&o.type==="text"||o.tagName==="TEXTAREA"||(this.enableDownEvent&&s.type==="keydown"&&this.callback({type:"keydown",srcEvent:s,key:s.key,target:s.target}),this.enableUpEvent&&s.type==="keyup"&&this.callback({type:"keyup",srcEvent:s,key:s.key,target:s.target}))};let{enable:i=!1}=this.options;this.enableDownEvent=i,this.enableUpEvent=i,e.tabIndex=this.options.tabIndex,e.style.outline="none",i&&aS.forEach(s=>this.listen(s,!0))}destroy(){aS.forEach(e=>this.listen(e,!1))}enableEventType(e,t){e==="keydown"&&this.enableDownEvent!==t&&(this.enableDownEvent=t,this.listen(e,t)),e==="keyup"&&this.enableUpEvent!==t&&(this.enableUpEvent=t,this.listen(e,t))}};var cd=class extends En{constructor(e,t,n){n.enable=n.enable??!1,super(e,t,n),this.handleEvent=i=>{this.options.enable&&this.callback({type:"contextmenu",center:{x:i.clientX,y:i.clientY},srcEvent:i,pointerType:"mouse",target:i.target})},n.enable&&this.listen("contextmenu",!0)}destroy(){this.listen("contextmenu",!1)}enableEventType(e,t){e==="contextmenu"&&this.options.enable!==t&&(this.options.enable=t,this.listen("contextmenu",t))}};var lN={pointerdown:1,pointermove:2,pointerup:4,mousedown:1,mousemove:2,mouseup:4},uN=0,fN=1,dN=2,hN=1,pN=2,mN=4;function cS(r){let e=lN[r.srcEvent.type];if(!e)return null;let{buttons:t,button:n}=r.srcEvent,i=!1,s=!1,o=!1;return e===2?(i=!!(t&hN),s=!!(t&mN),o=!!(t&pN)):(i=n===uN,s=n===fN,o=n===dN),{leftButton:i,middleButton:s,rightButton:o}}function lS(r,e){let t=r.center;if(!t)return null;let n=e.getBoundingClientRect(),i=n.width/e.offsetWidth||1,s=n.height/e.offsetHeight||1,o={x:(t.x-n.left-e.clientLeft)/i,y:(t.y-n.top-e.clientTop)/s};return{center:t,offsetCenter:o}}var gN={srcElement:"root",priority:0},ld=class{constructor(e,t){this.handleEvent=n=>{if(this.isEmpty())return;let i=this._normalizeEvent(n),s=n.srcEvent.target;for(;s&&s!==i.rootElement;){if(this._emit(i,s),i.handled)return;s=s.parentNode}this._emit(i,"root")},this.eventManager=e,this.recognizerName=t,this.handlers=[],this.handlersByElement=new Map,this._active=!1}isEmpty(){return!this._active}add(e,t,n,i=!1,s=!1){let{handlers:o,handlersByElement:a}=this,c={...gN,...n},l=a.get(c.srcElement);l||(l=[],a.set(c.srcElement,l));let u={type:e,handler:t,srcElement:c.srcElement,priority:c.priority};i&&(u.once=!0),s&&(u.passive=!0),o.push(u),this._active=this._active||!u.passive;let f=l.length-1;for(;f>=0&&!(l[f].priority>=u.priority);)f--;l.splice(f+1,0,u)}remove(e,t){let{handlers:n,handlersByElement:i}=this;for(let s=n.length-1;s>=0;s--){let o=n[s];if(o.type===e&&o.handler===t){n.splice(s,1);let a=i.get(o.srcElement);a.splice(a.indexOf(o),1),a.length===0&&i.delete(o.srcElement)}}this._active=n.some(s=>!s.passive)}_emit(e,t){let n=this.handlersByElement.get(t);if(n){let i=!1,s=()=>{e.handled=!0},o=()=>{e.handled=!0,i=!0},a=[];for(let c=0;c<n.length;c++){let{type:l,handler:u,once:f}=n[c];if(u({...e,type:l,stopPropagation:s,stopImmediatePropagation:o}),f&&a.push(n[c]),i)break}for(let c=0;c<a.length;c++){let{type:l,handler:u}=a[c];this.remove(l,u)}}}_normalizeEvent(e){let t=this.eventManager.getElement();return{...e,...cS(e),...lS(e,t),preventDefault:()=>{e.srcEvent.preventDefault()},stopImmediatePropagation:null,stopPropagation:null,handled:!1,rootElement:t}}};function bN(r){if("recognizer"in r)return r;let e,t=Array.isArray(r)?[...r]:[r];if(typeof t[0]=="function"){let n=t.shift(),i=t.shift()||{};e=new n(i)}else e=t.shift();return{recognizer:e,recognizeWith:typeof t[0]=="string"?[t[0]]:t[0],requireFailure:typeof t[1]=="string"?[t[1]]:t[1]}}var Kc=class{constructor(e=null,t={}){if(this._onBasicInput=n=>{this.manager.emit(n.srcEvent.type,n)},this._onOtherEvent=n=>{this.manager.emit(n.type,n)},this.options={recognizers:[],events:{},touchAction:"compute",tabIndex:0,cssProps:{},...t},this.events=new Map,this.element=e,this.wheelSession=new sd(e),!!e){this.manager=new Zc(e,this.options);for(let n of this.options.recognizers){let{recognizer:i,recognizeWith:s,requireFailure:o}=bN(n);this.manager.add(i),s&&i.recognizeWith(s),o&&i.requireFailure(o)}this.manager.on("hammer.input",this._onBasicInput),this.wheelInput=new id(e,this._onOtherEvent,{enable:!1,wheelSession:this.wheelSession}),this.moveInput=new od(e,this._onOtherEvent,{enable:!1}),this.keyInput=new ad(e,this._onOtherEvent,{enable:!1,tabIndex:t.tabIndex}),this.contextmenuInput=new cd(e,this._onOtherEvent,{enable:!1}),this.on(this.options.events)}}getElement(){return this.element}destroy(){if(!this.element){this.wheelSession.destroy();return}this.wheelInput.destroy(),this.wheelSession.destroy(),this.moveInput.destroy(),this.keyInput.destroy(),this.contextmenuInput.destroy(),this.manager.destroy()}on(e,t,n){this._addEventHandler(e,t,n,!1)}once(e,t,n){this._addEventHandler(e,t,n,!0)}watch(e,t,n){this._addEventHandler(e,t,n,!1,!0)}off(e,t){this._removeEventHandler(e,t)}emit(e){this.manager?.emit(e.type,e)}_toggleRecognizer(e,t){let{manager:n}=this;if(!n)return;let i=n.get(e);i&&(i.set({enable:t,wheelSession:this.wheelSession}),n.touchAction.update()),this.wheelInput?.enableEventType(e,t),this.moveInput?.enableEventType(e,t),this.keyInput?.enableEventType(e,t),this.contextmenuInput?.enableEventType(e,t)}_addEventHandler(e,t,n,i,s){if(typeof e!="string"){n=t;for(let[l,u]of Object.entries(e))this._addEventHandler(l,u,n,i,s);return}let{manager:o,events:a}=this;if(!o)return;let c=a.get(e);if(!c){let l=this._getRecognizerName(e)||e;c=new ld(this,l),a.set(e,c),o&&o.on(e,c.handleEvent)}c.add(e,t,n,i,s),c.isEmpty()||this._toggleRecognizer(c.recognizerName,!0)}_removeEventHandler(e,t){if(typeof e!="string"){for(let[s,o]of Object.entries(e))this._removeEventHandler(s,o);return}let{events:n}=this,i=n.get(e);if(i&&(i.remove(e,t),i.isEmpty())){let{recognizerName:s}=i,o=!1;for(let a of n.values())if(a.recognizerName===s&&!a.isEmpty()){o=!0;break}o||this._toggleRecognizer(s,!1)}}_getRecognizerName(e){return this.manager.recognizers.find(t=>t.getEventNames().includes(e))?.options.event}};var jb={DEFAULT:"default",LNGLAT:"lnglat",METER_OFFSETS:"meter-offsets",LNGLAT_OFFSETS:"lnglat-offsets",CARTESIAN:"cartesian"};Object.defineProperty(jb,"IDENTITY",{get:()=>(ie.deprecated("COORDINATE_SYSTEM.IDENTITY","COORDINATE_SYSTEM.CARTESIAN")(),jb.CARTESIAN)});var mt={WEB_MERCATOR:1,GLOBE:2,WEB_MERCATOR_AUTO_OFFSET:4,IDENTITY:0},Rr={common:0,meters:1,pixels:2},ta={click:"onClick",dblclick:"onClick",panstart:"onDragStart",panmove:"onDrag",panend:"onDragEnd"},Hb={multipan:[Ai,{threshold:10,pointers:2,trackpad:!0}],pinch:[ea,{trackpad:!0},null,["multipan"]],pan:[Ai,{threshold:1},["pinch"],["multipan"]],dblclick:[Rs,{event:"dblclick",taps:2,enable:!1}],dblclickdrag:[Qo,{event:"dblclickdrag",enable:!1},["dblclick"],null],click:[Rs,{event:"click"},["dblclickdrag"],["dblclick","dblclickdrag"]]};function yN(r,e){if(r===e)return!0;if(Array.isArray(r)){let t=r.length;if(!e||e.length!==t)return!1;for(let n=0;n<t;n++)if(r[n]!==e[n])return!1;return!0}return!1}function Sn(r){let e={},t;return n=>{for(let i in n)if(!yN(n[i],e[i])){t=r(n),e=n;break}return t}}var uS=[0,0,0,0],_N=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0],fS=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],xN=[0,0,0],dS=[0,0,0],wN={default:-1,cartesian:0,lnglat:1,"meter-offsets":2,"lnglat-offsets":3};function Is(r){let e=wN[r];if(e===void 0)throw new Error(`Invalid coordinateSystem: ${r}`);return e}var vN=Sn(SN);function Yb(r,e,t=dS){t.length<3&&(t=[t[0],t[1],0]);let n=t,i,s=!0;switch(e==="lnglat-offsets"||e==="meter-offsets"?i=t:i=r.isGeospatial?[Math.fround(r.longitude),Math.fround(r.latitude),0]:null,r.projectionMode){case mt.WEB_MERCATOR:(e==="lnglat"||e==="cartesian")&&(i=[0,0,0],s=!1);break;case mt.WEB_MERCATOR_AUTO_OFFSET:e==="lnglat"?n=i:e==="cartesian"&&(n=[Math.fround(r.center[0]),Math.fround(r.center[1]),0],i=r.unprojectPosition(n),n[0]-=t[0],n[1]-=t[1],n[2]-=t[2]);break;case mt.IDENTITY:n=r.position.map(Math.fround),n[2]=n[2]||0;break;case mt.GLOBE:s=!1,i=null;break;default:s=!1}return{geospatialOrigin:i,shaderCoordinateOrigin:n,offsetMode:s}}function EN(r,e,t){let{viewMatrixUncentered:n,projectionMatrix:i}=r,{viewMatrix:s,viewProjectionMatrix:o}=r,a=uS,c=uS,l=r.cameraPosition,{geospatialOrigin:u,shaderCoordinateOrigin:f,offsetMode:d}=Yb(r,e,t);return d&&(c=r.projectPosition(u||f),l=[l[0]-c[0],l[1]-c[1],l[2]-c[2]],c[3]=1,a=Hr.transformMat4([],c,o),s=n||s,o=it.multiply([],i,s),o=it.multiply([],o,_N)),{viewMatrix:s,viewProjectionMatrix:o,projectionCenter:a,originCommon:c,cameraPosCommon:l,shaderCoordinateOrigin:f,geospatialOrigin:u}}function hS({viewport:r,devicePixelRatio:e=1,modelMatrix:t=null,coordinateSystem:n="default",coordinateOrigin:i=dS,autoWrapLongitude:s=!1}){n==="default"&&(n=r.isGeospatial?"lnglat":"cartesian");let o=vN({viewport:r,devicePixelRatio:e,coordinateSystem:n,coordinateOrigin:i});return o.wrapLongitude=s,o.modelMatrix=t||fS,o}function SN({viewport:r,devicePixelRatio:e,coordinateSystem:t,coordinateOrigin:n}){let{projectionCenter:i,viewProjectionMatrix:s,originCommon:o,cameraPosCommon:a,shaderCoordinateOrigin:c,geospatialOrigin:l}=EN(r,t,n),u=r.getDistanceScales(),f=[r.width*e,r.height*e],d=Hr.transformMat4([],[0,0,-r.focalDistance,1],r.projectionMatrix)[3]||1,h={coordinateSystem:Is(t),projectionMode:r.projectionMode,coordinateOrigin:c,commonOrigin:o.slice(0,3),center:i,pseudoMeters:!!r._pseudoMeters,viewportSize:f,devicePixelRatio:e,focalDistance:d,commonUnitsPerMeter:u.unitsPerMeter,commonUnitsPerWorldUnit:u.unitsPerMeter,commonUnitsPerWorldUnit2:xN,scale:r.scale,wrapLongitude:!1,viewProjectionMatrix:s,modelMatrix:fS,cameraPosition:a};if(l){let p=r.getDistanceScales(l);switch(t){case"meter-offsets":h.commonUnitsPerWorldUnit=p.unitsPerMeter,h.commonUnitsPerWorldUnit2=p.unitsPerMeter2;break;case"lnglat":case"lnglat-offsets":r._pseudoMeters||(h.commonUnitsPerMeter=p.unitsPerMeter),h.commonUnitsPerWorldUnit=p.unitsPerDegree,h.commonUnitsPerWorldUnit2=p.unitsPerDegree2;break;case"cartesian":h.commonUnitsPerWorldUnit=[1,1,p.unitsPerMeter[2]],h.commonUnitsPerWorldUnit2=[0,0,p.unitsPerMeter2[2]];break;default:break}}if(r.projectionMode===mt.GLOBE&&t==="meter-offsets"){let b=n[0]*Math.PI/180,w=n[1]*Math.PI/180,_=Math.cos(w),x=((n[2]||0)/6370972+1)*256;h.commonOrigin=[Math.sin(b)*_*x,-Math.cos(b)*_*x,Math.sin(w)*x]}return h}var TN=["default","lnglat","meter-offsets","lnglat-offsets","cartesian"],PN=TN.map(r=>`const COORDINATE_SYSTEM_${r.toUpperCase().replaceAll("-","_")}: i32 = ${Is(r)};`).join(""),AN=Object.keys(mt).map(r=>`const PROJECTION_MODE_${r}: i32 = ${mt[r]};`).join(""),LN=Object.keys(Rr).map(r=>`const UNIT_${r.toUpperCase()}: i32 = ${Rr[r]};`).join(""),MN=`${PN}
${AN}
${LN}

const TILE_SIZE: f32 = 512.0;
const PI: f32 = 3.1415926536;
const WORLD_SCALE: f32 = TILE_SIZE / (PI * 2.0);
const ZERO_64_LOW: vec3<f32> = vec3<f32>(0.0, 0.0, 0.0);
const EARTH_RADIUS: f32 = 6370972.0; // meters
const GLOBE_RADIUS: f32 = 256.0;

// -----------------------------------------------------------------------------
// Uniform block (converted from GLSL uniform block)
// -----------------------------------------------------------------------------
struct ProjectUniforms {
  wrapLongitude: i32,
  coordinateSystem: i32,
  commonUnitsPerMeter: vec3<f32>,
  projectionMode: i32,
  scale: f32,
  commonUnitsPerWorldUnit: vec3<f32>,
  commonUnitsPerWorldUnit2: vec3<f32>,
  center: vec4<f32>,
  modelMatrix: mat4x4<f32>,
  viewProjectionMatrix: mat4x4<f32>,
  viewportSize: vec2<f32>,
  devicePixelRatio: f32,
  focalDistance: f32,
  cameraPosition: vec3<f32>,
  coordinateOrigin: vec3<f32>,
  commonOrigin: vec3<f32>,
  pseudoMeters: i32,
};

@group(0) @binding(auto)
var<uniform> project: ProjectUniforms;

// -----------------------------------------------------------------------------
// Geometry data shared across the project helpers.
// The active layer shader is responsible for populating this private module
// state before calling the project functions below.
// -----------------------------------------------------------------------------

// Structure to carry additional geometry data used by deck.gl filters.
struct Geometry {
  worldPosition: vec3<f32>,
  worldPositionAlt: vec3<f32>,
  position: vec4<f32>,
  normal: vec3<f32>,
  uv: vec2<f32>,
  pickingColor: vec3<f32>,
};

var<private> geometry: Geometry;
`,pS=`${MN}

// -----------------------------------------------------------------------------
// Functions
// -----------------------------------------------------------------------------

// Returns an adjustment factor for commonUnitsPerMeter
fn _project_size_at_latitude(lat: f32) -> f32 {
  let y = clamp(lat, -89.9, 89.9);
  return 1.0 / cos(radians(y));
}

// Overloaded version: scales a value in meters at a given latitude.
fn _project_size_at_latitude_m(meters: f32, lat: f32) -> f32 {
  return meters * project.commonUnitsPerMeter.z * _project_size_at_latitude(lat);
}

// Computes a non-linear scale factor based on geometry.
// (Note: This function relies on "geometry" being provided.)
fn project_size() -> f32 {
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR &&
      project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT &&
      project.pseudoMeters == 0) {
    if (geometry.position.w == 0.0) {
      return _project_size_at_latitude(geometry.worldPosition.y);
    }
    let y: f32 = geometry.position.y / TILE_SIZE * 2.0 - 1.0;
    let y2 = y * y;
    let y4 = y2 * y2;
    let y6 = y4 * y2;
    return 1.0 + 4.9348 * y2 + 4.0587 * y4 + 1.5642 * y6;
  }
  return 1.0;
}

// Overloads to scale offsets (meters to world units)
fn project_size_float(meters: f32) -> f32 {
  return meters * project.commonUnitsPerMeter.z * project_size();
}

fn project_size_vec2(meters: vec2<f32>) -> vec2<f32> {
  return meters * project.commonUnitsPerMeter.xy * project_size();
}

fn project_size_vec3(meters: vec3<f32>) -> vec3<f32> {
  return meters * project.commonUnitsPerMeter * project_size();
}

fn project_size_vec4(meters: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(meters.xyz * project.commonUnitsPerMeter, meters.w);
}

// Returns a rotation matrix aligning the z‑axis with the given up vector.
fn project_get_orientation_matrix(up: vec3<f32>) -> mat3x3<f32> {
  let uz = normalize(up);
  let ux = select(
    vec3<f32>(1.0, 0.0, 0.0),
    normalize(vec3<f32>(uz.y, -uz.x, 0.0)),
    abs(uz.z) == 1.0
  );
  let uy = cross(uz, ux);
  return mat3x3<f32>(ux, uy, uz);
}

// Since WGSL does not support "out" parameters, we return a struct.
struct RotationResult {
  needsRotation: bool,
  transform: mat3x3<f32>,
};

fn project_needs_rotation(commonPosition: vec3<f32>) -> RotationResult {
  if (project.projectionMode == PROJECTION_MODE_GLOBE) {
    return RotationResult(true, project_get_orientation_matrix(commonPosition));
  } else {
    return RotationResult(false, mat3x3<f32>());  // identity alternative if needed
  };
}

// Projects a normal vector from the current coordinate system to world space.
fn project_normal(vector: vec3<f32>) -> vec3<f32> {
  let normal_modelspace = project.modelMatrix * vec4<f32>(vector, 0.0);
  var n = normalize(normal_modelspace.xyz * project.commonUnitsPerMeter);
  let rotResult = project_needs_rotation(geometry.position.xyz);
  if (rotResult.needsRotation) {
    n = rotResult.transform * n;
  }
  return n;
}

// Applies a scale offset based on y-offset (dy)
fn project_offset_(offset: vec4<f32>) -> vec4<f32> {
  let dy: f32 = offset.y;
  let commonUnitsPerWorldUnit = project.commonUnitsPerWorldUnit + project.commonUnitsPerWorldUnit2 * dy;
  return vec4<f32>(offset.xyz * commonUnitsPerWorldUnit, offset.w);
}

// Projects lng/lat coordinates to a unit tile [0,1]
fn project_mercator_(lnglat: vec2<f32>) -> vec2<f32> {
  var x = lnglat.x;
  if (project.wrapLongitude != 0) {
    x = ((x + 180.0) % 360.0) - 180.0;
  }
  let y = clamp(lnglat.y, -89.9, 89.9);
  return vec2<f32>(
    radians(x) + PI,
    PI + log(tan_fp32(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// Projects lng/lat/z coordinates for a globe projection.
fn project_globe_(lnglatz: vec3<f32>) -> vec3<f32> {
  let lambda = radians(lnglatz.x);
  let phi = radians(lnglatz.y);
  let cosPhi = cos(phi);
  let D = (lnglatz.z / EARTH_RADIUS + 1.0) * GLOBE_RADIUS;
  return vec3<f32>(
    sin(lambda) * cosPhi,
    -cos(lambda) * cosPhi,
    sin(phi)
  ) * D;
}

// Projects positions (with an optional 64-bit low part) from the input
// coordinate system to the common space.
fn project_position_vec4_f64(position: vec4<f32>, position64Low: vec3<f32>) -> vec4<f32> {
  var position_world = project.modelMatrix * position;

  // Work around for a Mac+NVIDIA bug:
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      return vec4<f32>(
        project_mercator_(position_world.xy),
        _project_size_at_latitude_m(position_world.z, position_world.y),
        position_world.w
      );
    }
    if (project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN) {
      position_world = vec4f(position_world.xyz + project.coordinateOrigin, position_world.w);
    }
  }
  if (project.projectionMode == PROJECTION_MODE_GLOBE) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      return vec4<f32>(
        project_globe_(position_world.xyz),
        position_world.w
      );
    }
    if (project.coordinateSystem == COORDINATE_SYSTEM_METER_OFFSETS) {
      let enuMatrix = project_get_orientation_matrix(project.commonOrigin);
      let metersToCommon = GLOBE_RADIUS / EARTH_RADIUS;
      let offsetCommon = (enuMatrix * vec3<f32>(-position_world.x, -position_world.y, position_world.z)) * metersToCommon;
      return vec4<f32>(project.commonOrigin + offsetCommon, position_world.w);
    }
  }
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      if (abs(position_world.y - project.coordinateOrigin.y) > 0.25) {
        return vec4<f32>(
          project_mercator_(position_world.xy) - project.commonOrigin.xy,
          project_size_float(position_world.z),
          position_world.w
        );
      }
    }
  }
  if (project.projectionMode == PROJECTION_MODE_IDENTITY ||
      (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET &&
       (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
        project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN))) {
    position_world = vec4f(position_world.xyz - project.coordinateOrigin, position_world.w);
  }

  return project_offset_(position_world) +
         project_offset_(project.modelMatrix * vec4<f32>(position64Low, 0.0));
}

// Overloaded versions for different input types.
fn project_position_vec4_f32(position: vec4<f32>) -> vec4<f32> {
  return project_position_vec4_f64(position, ZERO_64_LOW);
}

fn project_position_vec3_f64(position: vec3<f32>, position64Low: vec3<f32>) -> vec3<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 1.0), position64Low);
  return projected_position.xyz;
}

fn project_position_vec3_f32(position: vec3<f32>) -> vec3<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 1.0), ZERO_64_LOW);
  return projected_position.xyz;
}

fn project_position_vec2_f32(position: vec2<f32>) -> vec2<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 0.0, 1.0), ZERO_64_LOW);
  return projected_position.xy;
}

// Transforms a common space position to clip space.
fn project_common_position_to_clipspace_with_projection(position: vec4<f32>, viewProjectionMatrix: mat4x4<f32>, center: vec4<f32>) -> vec4<f32> {
  var clipPosition = viewProjectionMatrix * position + center;
  // deck.gl projection matrices use WebGL's [-w, w] depth range; WebGPU clips z to [0, w].
  clipPosition.z = (clipPosition.z + clipPosition.w) * 0.5;
  return clipPosition;
}

// Uses the project viewProjectionMatrix and center.
fn project_common_position_to_clipspace(position: vec4<f32>) -> vec4<f32> {
  return project_common_position_to_clipspace_with_projection(position, project.viewProjectionMatrix, project.center);
}

// Returns a clip space offset corresponding to a given number of screen pixels.
fn project_pixel_size_to_clipspace(pixels: vec2<f32>) -> vec2<f32> {
  let offset = pixels / project.viewportSize * project.devicePixelRatio * 2.0;
  return offset * project.focalDistance;
}

fn project_meter_size_to_pixel(meters: f32) -> f32 {
  return project_size_float(meters) * project.scale;
}

fn project_unit_size_to_pixel(size: f32, unit: i32) -> f32 {
  if (unit == UNIT_METERS) {
    return project_meter_size_to_pixel(size);
  } else if (unit == UNIT_COMMON) {
    return size * project.scale;
  }
  // UNIT_PIXELS: no scaling applied.
  return size;
}

fn project_pixel_size_float(pixels: f32) -> f32 {
  return pixels / project.scale;
}

fn project_pixel_size_vec2(pixels: vec2<f32>) -> vec2<f32> {
  return pixels / project.scale;
}
`;var CN=["default","lnglat","meter-offsets","lnglat-offsets","cartesian"],RN=CN.map(r=>`const int COORDINATE_SYSTEM_${r.toUpperCase().replaceAll("-","_")} = ${Is(r)};`).join(""),IN=Object.keys(mt).map(r=>`const int PROJECTION_MODE_${r} = ${mt[r]};`).join(""),BN=Object.keys(Rr).map(r=>`const int UNIT_${r.toUpperCase()} = ${Rr[r]};`).join(""),mS=`${RN}
${IN}
${BN}
layout(std140) uniform projectUniforms {
bool wrapLongitude;
int coordinateSystem;
vec3 commonUnitsPerMeter;
int projectionMode;
float scale;
vec3 commonUnitsPerWorldUnit;
vec3 commonUnitsPerWorldUnit2;
vec4 center;
mat4 modelMatrix;
mat4 viewProjectionMatrix;
vec2 viewportSize;
float devicePixelRatio;
float focalDistance;
vec3 cameraPosition;
vec3 coordinateOrigin;
vec3 commonOrigin;
bool pseudoMeters;
} project;
const float TILE_SIZE = 512.0;
const float PI = 3.1415926536;
const float WORLD_SCALE = TILE_SIZE / (PI * 2.0);
const vec3 ZERO_64_LOW = vec3(0.0);
const float EARTH_RADIUS = 6370972.0;
const float GLOBE_RADIUS = 256.0;
float project_size_at_latitude(float lat) {
float y = clamp(lat, -89.9, 89.9);
return 1.0 / cos(radians(y));
}
float project_size() {
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR &&
project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT &&
project.pseudoMeters == false) {
if (geometry.position.w == 0.0) {
return project_size_at_latitude(geometry.worldPosition.y);
}
float y = geometry.position.y / TILE_SIZE * 2.0 - 1.0;
float y2 = y * y;
float y4 = y2 * y2;
float y6 = y4 * y2;
return 1.0 + 4.9348 * y2 + 4.0587 * y4 + 1.5642 * y6;
}
return 1.0;
}
float project_size_at_latitude(float meters, float lat) {
return meters * project.commonUnitsPerMeter.z * project_size_at_latitude(lat);
}
float project_size(float meters) {
return meters * project.commonUnitsPerMeter.z * project_size();
}
vec2 project_size(vec2 meters) {
return meters * project.commonUnitsPerMeter.xy * project_size();
}
vec3 project_size(vec3 meters) {
return meters * project.commonUnitsPerMeter * project_size();
}
vec4 project_size(vec4 meters) {
return vec4(meters.xyz * project.commonUnitsPerMeter, meters.w);
}
mat3 project_get_orientation_matrix(vec3 up) {
vec3 uz = normalize(up);
vec3 ux = abs(uz.z) == 1.0 ? vec3(1.0, 0.0, 0.0) : normalize(vec3(uz.y, -uz.x, 0));
vec3 uy = cross(uz, ux);
return mat3(ux, uy, uz);
}
bool project_needs_rotation(vec3 commonPosition, out mat3 transform) {
if (project.projectionMode == PROJECTION_MODE_GLOBE) {
transform = project_get_orientation_matrix(commonPosition);
return true;
}
return false;
}
vec3 project_normal(vec3 vector) {
vec4 normal_modelspace = project.modelMatrix * vec4(vector, 0.0);
vec3 n = normalize(normal_modelspace.xyz * project.commonUnitsPerMeter);
mat3 rotation;
if (project_needs_rotation(geometry.position.xyz, rotation)) {
n = rotation * n;
}
return n;
}
vec4 project_offset_(vec4 offset) {
float dy = offset.y;
vec3 commonUnitsPerWorldUnit = project.commonUnitsPerWorldUnit + project.commonUnitsPerWorldUnit2 * dy;
return vec4(offset.xyz * commonUnitsPerWorldUnit, offset.w);
}
vec2 project_mercator_(vec2 lnglat) {
float x = lnglat.x;
if (project.wrapLongitude) {
x = mod(x + 180., 360.0) - 180.;
}
float y = clamp(lnglat.y, -89.9, 89.9);
return vec2(
radians(x) + PI,
PI + log(tan_fp32(PI * 0.25 + radians(y) * 0.5))
) * WORLD_SCALE;
}
vec3 project_globe_(vec3 lnglatz) {
float lambda = radians(lnglatz.x);
float phi = radians(lnglatz.y);
float cosPhi = cos(phi);
float D = (lnglatz.z / EARTH_RADIUS + 1.0) * GLOBE_RADIUS;
return vec3(
sin(lambda) * cosPhi,
-cos(lambda) * cosPhi,
sin(phi)
) * D;
}
vec4 project_position(vec4 position, vec3 position64Low) {
vec4 position_world = project.modelMatrix * position;
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
return vec4(
project_mercator_(position_world.xy),
project_size_at_latitude(position_world.z, position_world.y),
position_world.w
);
}
if (project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN) {
position_world.xyz += project.coordinateOrigin;
}
}
if (project.projectionMode == PROJECTION_MODE_GLOBE) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
return vec4(
project_globe_(position_world.xyz),
position_world.w
);
}
if (project.coordinateSystem == COORDINATE_SYSTEM_METER_OFFSETS) {
mat3 enuMatrix = project_get_orientation_matrix(project.commonOrigin);
float metersToCommon = GLOBE_RADIUS / EARTH_RADIUS;
vec3 offsetCommon = (enuMatrix * vec3(-position_world.xy, position_world.z)) * metersToCommon;
return vec4(project.commonOrigin + offsetCommon, position_world.w);
}
}
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
if (abs(position_world.y - project.coordinateOrigin.y) > 0.25) {
return vec4(
project_mercator_(position_world.xy) - project.commonOrigin.xy,
project_size(position_world.z),
position_world.w
);
}
}
}
if (project.projectionMode == PROJECTION_MODE_IDENTITY ||
(project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET &&
(project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN))) {
position_world.xyz -= project.coordinateOrigin;
}
return project_offset_(position_world) + project_offset_(project.modelMatrix * vec4(position64Low, 0.0));
}
vec4 project_position(vec4 position) {
return project_position(position, ZERO_64_LOW);
}
vec3 project_position(vec3 position, vec3 position64Low) {
vec4 projected_position = project_position(vec4(position, 1.0), position64Low);
return projected_position.xyz;
}
vec3 project_position(vec3 position) {
vec4 projected_position = project_position(vec4(position, 1.0), ZERO_64_LOW);
return projected_position.xyz;
}
vec2 project_position(vec2 position) {
vec4 projected_position = project_position(vec4(position, 0.0, 1.0), ZERO_64_LOW);
return projected_position.xy;
}
vec4 project_common_position_to_clipspace(vec4 position, mat4 viewProjectionMatrix, vec4 center) {
return viewProjectionMatrix * position + center;
}
vec4 project_common_position_to_clipspace(vec4 position) {
return project_common_position_to_clipspace(position, project.viewProjectionMatrix, project.center);
}
vec2 project_pixel_size_to_clipspace(vec2 pixels) {
vec2 offset = pixels / project.viewportSize * project.devicePixelRatio * 2.0;
return offset * project.focalDistance;
}
float project_size_to_pixel(float meters) {
return project_size(meters) * project.scale;
}
vec2 project_size_to_pixel(vec2 meters) {
return project_size(meters) * project.scale;
}
float project_size_to_pixel(float size, int unit) {
if (unit == UNIT_METERS) return project_size_to_pixel(size);
if (unit == UNIT_COMMON) return size * project.scale;
return size;
}
float project_pixel_size(float pixels) {
return pixels / project.scale;
}
vec2 project_pixel_size(vec2 pixels) {
return pixels / project.scale;
}
`;var kN={};function ON(r=kN){return"viewport"in r?hS(r):{}}var ra={name:"project",dependencies:[As,Jf],source:pS,vs:mS,getUniforms:ON,uniformTypes:{wrapLongitude:"f32",coordinateSystem:"i32",commonUnitsPerMeter:"vec3<f32>",projectionMode:"i32",scale:"f32",commonUnitsPerWorldUnit:"vec3<f32>",commonUnitsPerWorldUnit2:"vec3<f32>",center:"vec4<f32>",modelMatrix:"mat4x4<f32>",viewProjectionMatrix:"mat4x4<f32>",viewportSize:"vec2<f32>",devicePixelRatio:"f32",focalDistance:"f32",cameraPosition:"vec3<f32>",coordinateOrigin:"vec3<f32>",commonOrigin:"vec3<f32>",pseudoMeters:"f32"}};var DN=`// Define a structure to hold both the clip-space position and the common position.
struct ProjectResult {
  clipPosition: vec4<f32>,
  commonPosition: vec4<f32>,
};

// This function mimics the GLSL version with the 'out' parameter by returning both values.
fn project_position_to_clipspace_and_commonspace(
    position: vec3<f32>,
    position64Low: vec3<f32>,
    offset: vec3<f32>
) -> ProjectResult {
  // Compute the projected position.
  let projectedPosition: vec3<f32> = project_position_vec3_f64(position, position64Low);

  // Start with the provided offset.
  var finalOffset: vec3<f32> = offset;

  // Get whether a rotation is needed and the rotation matrix.
  let rotationResult = project_needs_rotation(projectedPosition);

  // If rotation is needed, update the offset.
  if (rotationResult.needsRotation) {
    finalOffset = rotationResult.transform * offset;
  }

  // Compute the common position.
  let commonPosition: vec4<f32> = vec4<f32>(projectedPosition + finalOffset, 1.0);

  // Convert to clip-space.
  let clipPosition: vec4<f32> = project_common_position_to_clipspace(commonPosition);

  return ProjectResult(clipPosition, commonPosition);
}

// A convenience overload that returns only the clip-space position.
fn project_position_to_clipspace(
    position: vec3<f32>,
    position64Low: vec3<f32>,
    offset: vec3<f32>
) -> vec4<f32> {
  return project_position_to_clipspace_and_commonspace(position, position64Low, offset).clipPosition;
}
`,NN=`vec4 project_position_to_clipspace(
  vec3 position, vec3 position64Low, vec3 offset, out vec4 commonPosition
) {
  vec3 projectedPosition = project_position(position, position64Low);
  mat3 rotation;
  if (project_needs_rotation(projectedPosition, rotation)) {
    // offset is specified as ENU
    // when in globe projection, rotate offset so that the ground alighs with the surface of the globe
    offset = rotation * offset;
  }
  commonPosition = vec4(projectedPosition + offset, 1.0);
  return project_common_position_to_clipspace(commonPosition);
}

vec4 project_position_to_clipspace(
  vec3 position, vec3 position64Low, vec3 offset
) {
  vec4 commonPosition;
  return project_position_to_clipspace(position, position64Low, offset, commonPosition);
}
`,Li={name:"project32",dependencies:[ra],source:DN,vs:NN};st();st();function qb(){return[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}function Mi(r,e){let t=Hr.transformMat4([],e,r);return Hr.scale(t,t,1/t[3]),t}function Qc(r,e,t){return r<e?e:r>t?t:r}function FN(r){return Math.log(r)*Math.LOG2E}var Jc=Math.log2||FN;st();function qr(r,e){if(!r)throw new Error(e||"@math.gl/web-mercator: assertion failed.")}var Xr=Math.PI,gS=Xr/4,Ir=Xr/180,Xb=180/Xr,na=512,ud=4003e4,ia=85.051129,bS=1.5;function Zb(r){return Jc(r)}function Ut(r){let[e,t]=r;qr(Number.isFinite(e)),qr(Number.isFinite(t)&&t>=-90&&t<=90,"invalid latitude");let n=e*Ir,i=t*Ir,s=na*(n+Xr)/(2*Xr),o=na*(Xr+Math.log(Math.tan(gS+i*.5)))/(2*Xr);return[s,o]}function fr(r){let[e,t]=r,n=e/na*(2*Xr)-Xr,i=2*(Math.atan(Math.exp(t/na*(2*Xr)-Xr))-gS);return[n*Xb,i*Xb]}function Kb(r){let{latitude:e}=r;qr(Number.isFinite(e));let t=Math.cos(e*Ir);return Zb(ud*t)-9}function el(r){let e=Math.cos(r*Ir);return na/ud/e}function sa(r){let{latitude:e,longitude:t,highPrecision:n=!1}=r;qr(Number.isFinite(e)&&Number.isFinite(t));let i=na,s=Math.cos(e*Ir),o=i/360,a=o/s,c=i/ud/s,l={unitsPerMeter:[c,c,c],metersPerUnit:[1/c,1/c,1/c],unitsPerDegree:[o,a,c],degreesPerUnit:[1/o,1/a,1/c]};if(n){let u=Ir*Math.tan(e*Ir)/s,f=o*u/2,d=i/ud*u,h=d/a*c;l.unitsPerDegree2=[0,f,d],l.unitsPerMeter2=[h,0,h]}return l}function tl(r,e){let[t,n,i]=r,[s,o,a]=e,{unitsPerMeter:c,unitsPerMeter2:l}=sa({longitude:t,latitude:n,highPrecision:!0}),u=Ut(r);u[0]+=s*(c[0]+l[0]*o),u[1]+=o*(c[1]+l[1]*o);let f=fr(u),d=(i||0)+(a||0);return Number.isFinite(i)||Number.isFinite(a)?[f[0],f[1],d]:f}function fd(r){let{height:e,pitch:t,bearing:n,altitude:i,scale:s,center:o}=r,a=qb();it.translate(a,a,[0,0,-i]),it.rotateX(a,a,-t*Ir),it.rotateZ(a,a,n*Ir);let c=s/e;return it.scale(a,a,[c,c,c]),o&&it.translate(a,a,Ps.negate([],o)),a}function Qb(r){let{width:e,height:t,altitude:n,pitch:i=0,offset:s,center:o,scale:a,nearZMultiplier:c=1,farZMultiplier:l=1}=r,{fovy:u=Bs(bS)}=r;n!==void 0&&(u=Bs(n));let f=u*Ir,d=i*Ir,h=rl(u),p=h;o&&(p+=o[2]*a/Math.cos(d)/t);let m=f*(.5+(s?s[1]:0)/t),b=Math.sin(m)*p/Math.sin(Qc(Math.PI/2-d-m,.01,Math.PI-.01)),w=Math.sin(d)*b+p,_=p*10,x=Math.min(w*l,_);return{fov:f,aspect:e/t,focalDistance:h,near:c,far:x}}function Bs(r){return 2*Math.atan(.5/r)*Xb}function rl(r){return .5/Math.tan(.5*r*Ir)}function Ci(r,e){let[t,n,i=0]=r;return qr(Number.isFinite(t)&&Number.isFinite(n)&&Number.isFinite(i)),Mi(e,[t,n,i,1])}function Tn(r,e,t=0){let[n,i,s]=r;if(qr(Number.isFinite(n)&&Number.isFinite(i),"invalid pixel coordinate"),Number.isFinite(s))return Mi(e,[n,i,s,1]);let o=Mi(e,[n,i,0,1]),a=Mi(e,[n,i,1,1]),c=o[2],l=a[2],u=c===l?0:((t||0)-c)/(l-c);return Ft.lerp([],o,a,u)}function dd(r){let{width:e,height:t,bounds:n,minExtent:i=0,maxZoom:s=24,offset:o=[0,0]}=r,[[a,c],[l,u]]=n,f=UN(r.padding),d=Ut([a,Qc(u,-ia,ia)]),h=Ut([l,Qc(c,-ia,ia)]),p=[Math.max(Math.abs(h[0]-d[0]),i),Math.max(Math.abs(h[1]-d[1]),i)],m=[e-f.left-f.right-Math.abs(o[0])*2,t-f.top-f.bottom-Math.abs(o[1])*2];qr(m[0]>0&&m[1]>0);let b=m[0]/p[0],w=m[1]/p[1],_=(f.right-f.left)/2/b,x=(f.top-f.bottom)/2/w,E=[(h[0]+d[0])/2+_,(h[1]+d[1])/2+x],T=fr(E),A=Math.min(s,Jc(Math.abs(Math.min(b,w))));return qr(Number.isFinite(A)),{longitude:T[0],latitude:T[1],zoom:A}}function UN(r=0){return typeof r=="number"?{top:r,bottom:r,left:r,right:r}:(qr(Number.isFinite(r.top)&&Number.isFinite(r.bottom)&&Number.isFinite(r.left)&&Number.isFinite(r.right)),r)}st();var yS=Math.PI/180;function hd(r,e=0){let{width:t,height:n,unproject:i}=r,s={targetZ:e},o=i([0,n],s),a=i([t,n],s),c,l,u=r.fovy?.5*r.fovy*yS:Math.atan(.5/r.altitude),f=(90-r.pitch)*yS;return u>f-.01?(c=_S(r,0,e),l=_S(r,t,e)):(c=i([0,0],s),l=i([t,0],s)),[o,a,l,c]}function _S(r,e,t){let{pixelUnprojectionMatrix:n}=r,i=Mi(n,[e,0,1,1]),s=Mi(n,[e,r.height,1,1]),a=(t*r.distanceScales.unitsPerMeter[2]-i[2])/(s[2]-i[2]),c=Ft.lerp([],i,s,a),l=fr(c);return l.push(t),l}var wS=`
layout(std140) uniform shadowUniforms {
  bool drawShadowMap;
  bool useShadowMap;
  vec4 color;
  highp int lightId;
  float lightCount;
  mat4 viewProjectionMatrix0;
  mat4 viewProjectionMatrix1;
  vec4 projectCenter0;
  vec4 projectCenter1;
} shadow;
`,$N=`
const int max_lights = 2;

out vec3 shadow_vPosition[max_lights];

vec4 shadow_setVertexPosition(vec4 position_commonspace) {
  mat4 viewProjectionMatrices[max_lights];
  viewProjectionMatrices[0] = shadow.viewProjectionMatrix0;
  viewProjectionMatrices[1] = shadow.viewProjectionMatrix1;
  vec4 projectCenters[max_lights];
  projectCenters[0] = shadow.projectCenter0;
  projectCenters[1] = shadow.projectCenter1;

  if (shadow.drawShadowMap) {
    return project_common_position_to_clipspace(position_commonspace, viewProjectionMatrices[shadow.lightId], projectCenters[shadow.lightId]);
  }
  if (shadow.useShadowMap) {
    for (int i = 0; i < max_lights; i++) {
      if(i < int(shadow.lightCount)) {
        vec4 shadowMap_position = project_common_position_to_clipspace(position_commonspace, viewProjectionMatrices[i], projectCenters[i]);
        shadow_vPosition[i] = (shadowMap_position.xyz / shadowMap_position.w + 1.0) / 2.0;
      }
    }
  }
  return gl_Position;
}
`,VN=`
${wS}
${$N}
`,WN=`
const int max_lights = 2;
uniform sampler2D shadow_uShadowMap0;
uniform sampler2D shadow_uShadowMap1;

in vec3 shadow_vPosition[max_lights];

const vec4 bitPackShift = vec4(1.0, 255.0, 65025.0, 16581375.0);
const vec4 bitUnpackShift = 1.0 / bitPackShift;
const vec4 bitMask = vec4(1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0,  0.0);

float shadow_getShadowWeight(vec3 position, sampler2D shadowMap) {
  vec4 rgbaDepth = texture(shadowMap, position.xy);

  float z = dot(rgbaDepth, bitUnpackShift);
  return smoothstep(0.001, 0.01, position.z - z);
}

vec4 shadow_filterShadowColor(vec4 color) {
  if (shadow.drawShadowMap) {
    vec4 rgbaDepth = fract(gl_FragCoord.z * bitPackShift);
    rgbaDepth -= rgbaDepth.gbaa * bitMask;
    return rgbaDepth;
  }
  if (shadow.useShadowMap) {
    float shadowAlpha = 0.0;
    shadowAlpha += shadow_getShadowWeight(shadow_vPosition[0], shadow_uShadowMap0);
    if(shadow.lightCount > 1.0) {
      shadowAlpha += shadow_getShadowWeight(shadow_vPosition[1], shadow_uShadowMap1);
    }
    shadowAlpha *= shadow.color.a / shadow.lightCount;
    float blendedAlpha = shadowAlpha + color.a * (1.0 - shadowAlpha);

    return vec4(
      mix(color.rgb, shadow.color.rgb, shadowAlpha / blendedAlpha),
      blendedAlpha
    );
  }
  return color;
}
`,jN=`
${wS}
${WN}
`,HN=Sn(KN),YN=Sn(QN),qN=[0,0,0,1],XN=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0];function ZN(r,e){let[t,n,i]=r,s=Tn([t,n,i],e);return Number.isFinite(i)?s:[s[0],s[1],0]}function KN({viewport:r,center:e}){return new Qe(r.viewProjectionMatrix).invert().transform(e)}function QN({viewport:r,shadowMatrices:e}){let t=[],n=r.pixelUnprojectionMatrix,i=r.isGeospatial?void 0:1,s=[[0,0,i],[r.width,0,i],[0,r.height,i],[r.width,r.height,i],[0,0,-1],[r.width,0,-1],[0,r.height,-1],[r.width,r.height,-1]].map(o=>ZN(o,n));for(let o of e){let a=o.clone().translate(new vt(r.center).negate()),c=s.map(u=>a.transform(u)),l=new Qe().ortho({left:Math.min(...c.map(u=>u[0])),right:Math.max(...c.map(u=>u[0])),bottom:Math.min(...c.map(u=>u[1])),top:Math.max(...c.map(u=>u[1])),near:Math.min(...c.map(u=>-u[2])),far:Math.max(...c.map(u=>-u[2]))});t.push(l.multiplyRight(o))}return t}function JN(r){let{shadowEnabled:e=!0,project:t}=r;if(!e||!t||!r.shadowMatrices||!r.shadowMatrices.length)return{drawShadowMap:!1,useShadowMap:!1,shadow_uShadowMap0:r.dummyShadowMap,shadow_uShadowMap1:r.dummyShadowMap};let n=ra.getUniforms(t),i=HN({viewport:t.viewport,center:n.center}),s=[],o=YN({shadowMatrices:r.shadowMatrices,viewport:t.viewport}).slice();for(let c=0;c<r.shadowMatrices.length;c++){let l=o[c],u=l.clone().translate(new vt(t.viewport.center).negate());n.coordinateSystem===Is("lnglat")&&n.projectionMode===mt.WEB_MERCATOR?(o[c]=u,s[c]=i):(o[c]=l.clone().multiplyRight(XN),s[c]=u.transform(i))}let a={drawShadowMap:!!r.drawToShadowMap,useShadowMap:r.shadowMaps?r.shadowMaps.length>0:!1,color:r.shadowColor||qN,lightId:r.shadowLightId||0,lightCount:r.shadowMatrices.length,shadow_uShadowMap0:r.dummyShadowMap,shadow_uShadowMap1:r.dummyShadowMap};for(let c=0;c<o.length;c++)a[`viewProjectionMatrix${c}`]=o[c],a[`projectCenter${c}`]=s[c];for(let c=0;c<2;c++)a[`shadow_uShadowMap${c}`]=r.shadowMaps&&r.shadowMaps[c]||r.dummyShadowMap;return a}var pd={name:"shadow",dependencies:[ra],vs:VN,fs:jN,inject:{"vs:DECKGL_FILTER_GL_POSITION":`
    position = shadow_setVertexPosition(geometry.position);
    `,"fs:DECKGL_FILTER_COLOR":`
    color = shadow_filterShadowColor(color);
    `},getUniforms:JN,uniformTypes:{drawShadowMap:"f32",useShadowMap:"f32",color:"vec4<f32>",lightId:"i32",lightCount:"f32",viewProjectionMatrix0:"mat4x4<f32>",viewProjectionMatrix1:"mat4x4<f32>",projectCenter0:"vec4<f32>",projectCenter1:"vec4<f32>"}};Wt();var md=10,nl=16777215;function ES(r,e){r.length===md?ie.warn(`pickMultipleObjects can only exclude ${md} previously picked objects for layers without picking buffers`)():r.push(e)}var eF=`  float disabledPickingIndexCount;
  vec4 disabledPickingIndices0;
  vec4 disabledPickingIndices1;
  vec4 disabledPickingIndices2;
`;function vS(r){return r.replace(`  vec4 highlightColor;
} picking;`,`  vec4 highlightColor;
${eF}} picking;`)}function Jb(r,e){return[r[e]||0,r[e+1]||0,r[e+2]||0,r[e+3]||0]}var tF=`vec3 picking_getPickingColorFromIndex(float objectIndex) {
  if (objectIndex < 0.0 || objectIndex >= ${nl}.0) {
    return vec3(0.0);
  }

  for (int i = 0; i < ${md}; i++) {
    if (float(i) >= picking.disabledPickingIndexCount) {
      break;
    }
    vec4 disabledIndices = i < 4
      ? picking.disabledPickingIndices0
      : (i < 8 ? picking.disabledPickingIndices1 : picking.disabledPickingIndices2);
    float disabledIndex = disabledIndices[i - (i / 4) * 4];
    if (disabledIndex == objectIndex) {
      return vec3(0.0);
    }
  }

  float encodedIndex = objectIndex + 1.0;
  return vec3(
    mod(encodedIndex, 256.0),
    mod(floor(encodedIndex / 256.0), 256.0),
    mod(floor(encodedIndex / 65536.0), 256.0)
  );
}

vec3 picking_getPickingColorFromIndex(uint objectIndex) {
  return picking_getPickingColorFromIndex(float(objectIndex));
}

vec3 picking_getPickingColorFromInstanceID() {
  return picking_getPickingColorFromIndex(float(gl_InstanceID));
}

void picking_setPickingColorFromInstanceID() {
  picking_setPickingColor(picking_getPickingColorFromInstanceID());
}
`,rF=`struct pickingUniforms {
  isActive: f32,
  isAttribute: f32,
  isHighlightActive: f32,
  useByteColors: f32,
  highlightedObjectColor: vec3<f32>,
  highlightColor: vec4<f32>,
  disabledPickingIndexCount: f32,
  disabledPickingIndices0: vec4<f32>,
  disabledPickingIndices1: vec4<f32>,
  disabledPickingIndices2: vec4<f32>,
};

@group(0) @binding(auto) var<uniform> picking: pickingUniforms;

fn picking_normalizeColor(color: vec3<f32>) -> vec3<f32> {
  return select(color, color / 255.0, picking.useByteColors > 0.5);
}

fn picking_normalizeColor4(color: vec4<f32>) -> vec4<f32> {
  return select(color, color / 255.0, picking.useByteColors > 0.5);
}

fn picking_isColorZero(color: vec3<f32>) -> bool {
  return dot(color, vec3<f32>(1.0)) < 0.00001;
}

fn picking_isColorValid(color: vec3<f32>) -> bool {
  return dot(color, vec3<f32>(1.0)) > 0.00001;
}

fn picking_getPickingColorFromIndex(objectIndex: u32) -> vec3<f32> {
  if (objectIndex >= ${nl}u) {
    return vec3<f32>(0.0);
  }

  for (var i = 0; i < ${md}; i = i + 1) {
    if (f32(i) >= picking.disabledPickingIndexCount) {
      break;
    }
    let disabledIndices = select(
      picking.disabledPickingIndices2,
      select(picking.disabledPickingIndices1, picking.disabledPickingIndices0, i < 4),
      i < 8
    );
    let disabledIndex = disabledIndices[i % 4];
    if (disabledIndex == f32(objectIndex)) {
      return vec3<f32>(0.0);
    }
  }

  let encodedIndex = objectIndex + 1u;
  return vec3<f32>(
    f32(encodedIndex % 256u),
    f32((encodedIndex / 256u) % 256u),
    f32((encodedIndex / 65536u) % 256u)
  ) / 255.0;
}
`,Ri={...Ti,vs:`${vS(Ti.vs)}
${tF}`,fs:vS(Ti.fs),source:rF,uniformTypes:{...Ti.uniformTypes,disabledPickingIndexCount:"f32",disabledPickingIndices0:"vec4<f32>",disabledPickingIndices1:"vec4<f32>",disabledPickingIndices2:"vec4<f32>"},defaultUniforms:{...Ti.defaultUniforms,useByteColors:!0,disabledPickingIndexCount:0,disabledPickingIndices0:[0,0,0,0],disabledPickingIndices1:[0,0,0,0],disabledPickingIndices2:[0,0,0,0]},getUniforms(r,e){let t=Ti.getUniforms(r,e),n=r.disabledPickingIndices||[];return t.disabledPickingIndexCount=n.length,t.disabledPickingIndices0=Jb(n,0),t.disabledPickingIndices1=Jb(n,4),t.disabledPickingIndices2=Jb(n,8),t},inject:{"vs:DECKGL_FILTER_GL_POSITION":`
    // for picking depth values
    picking_setPickingAttribute(position.z / position.w);
  `,"vs:DECKGL_FILTER_COLOR":`
  picking_setPickingColor(geometry.pickingColor);
  `,"fs:DECKGL_FILTER_COLOR":{order:99,injection:`
  // use highlight color if this fragment belongs to the selected object.
  color = picking_filterHighlightColor(color);

  // use picking color if rendering to picking FBO.
  color = picking_filterPickingColor(color);
    `}}};var sF=[Jf],oF=["vs:DECKGL_FILTER_SIZE(inout vec3 size, VertexGeometry geometry)","vs:DECKGL_FILTER_GL_POSITION(inout vec4 position, VertexGeometry geometry)","vs:DECKGL_FILTER_COLOR(inout vec4 color, VertexGeometry geometry)","fs:DECKGL_FILTER_COLOR(inout vec4 color, FragmentGeometry geometry)"],aF=[];function SS(r){let e=Mr.getDefaultShaderAssembler(r);for(let n of sF)e.addDefaultModule(n);e._hookFunctions.length=0;let t=r==="glsl"?oF:aF;for(let n of t)e.addShaderHook(n);return e}var cF=[255,255,255],lF=1,uF=0,gd=class{constructor(e={}){this.type="ambient";let{color:t=cF}=e,{intensity:n=lF}=e;this.id=e.id||`ambient-${uF++}`,this.color=t,this.intensity=n}};st();var fF=[255,255,255],dF=1,hF=[0,0,-1],pF=0,il=class{constructor(e={}){this.type="directional";let{color:t=fF}=e,{intensity:n=dF}=e,{direction:i=hF}=e,{_shadow:s=!1}=e;this.id=e.id||`directional-${pF++}`,this.color=t,this.intensity=n,this.type="directional",this.direction=new vt(i).normalize().toArray(),this.shadow=s}getProjectedLight(e){return this}};st();var sl=class{constructor(e,t={id:"pass"}){let{id:n}=t;this.id=n,this.device=e,this.props={...t}}setProps(e){Object.assign(this.props,e)}render(e){}cleanup(){}};var mF={depthWriteEnabled:!0,depthCompare:"less-equal",blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"one-minus-src-alpha",blendAlphaOperation:"add",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one-minus-src-alpha"},Xn=class extends sl{constructor(){super(...arguments),this._lastRenderIndex=-1}render(e){this._render(e)}_render(e){let{canvasContext:t=this.device.canvasContext}=e,n=e.target??t.getCurrentFramebuffer(),[i,s]=t.getDrawingBufferSize(),o=e.clearCanvas??!0,a=e.clearColor??(o?[0,0,0,0]:!1),c=o?1:!1,l=o?0:!1,u=e.colorMask??15,f={viewport:[0,0,i,s]};e.colorMask&&(f.colorMask=u),e.scissorRect&&(f.scissorRect=e.scissorRect);let{shaderModuleProps:d,viewports:h,views:p,onViewportActive:m,clearStack:b=!0}=e,w=e.pass||"unknown",_=this.device.type==="webgpu";b&&(this._lastRenderIndex=-1);let x=[];if(!h.length)return this.device.beginRenderPass({framebuffer:n,parameters:f,clearColor:a,clearDepth:c,clearStencil:l}).end(),this.device.submit(),x;try{for(let E of h){m?.(E);let T=this._getDrawLayerParams(E,e),A=p&&p[E.id],I=E.subViewports||[E],D=_?I.map(N=>[N]):[I];for(let N of D){let M=this.device.beginRenderPass({framebuffer:n,parameters:f,clearColor:a,clearDepth:c,clearStencil:l});try{for(let R of N){let U=this._drawLayersInViewport(M,{target:n,canvasContext:t,shaderModuleProps:d,viewport:R,view:A,pass:w,layers:e.layers,isPicking:e.isPicking},T);x.push(U)}}finally{M.end(),_&&this.device.submit()}a=!1,c=!1,l=!1}}return x}finally{_||this.device.submit()}}_getDrawLayerParams(e,{layers:t,pass:n,isPicking:i=!1,layerFilter:s,cullRect:o,views:a,effects:c,canvasContext:l=this.device.canvasContext,shaderModuleProps:u},f=!1){let d=[],h=PS(this._lastRenderIndex+1),p={layer:t[0],viewport:e,isPicking:i,renderPass:n,cullRect:o},m={};for(let b=0;b<t.length;b++){let w=t[b],_=this._shouldDrawLayer(w,p,s,m),x={shouldDrawLayer:_};if(_&&!f){x.shouldDrawLayer=!0,x.layerRenderIndex=h(w,_),x.shaderModuleProps=this._getShaderModuleProps(w,c,n,l,u);let E=w.context.device.type==="webgpu"?mF:null;x.layerParameters={...E,...w.context.deck?.props.parameters,...a?.[e.id]?.props.parameters,...this.getLayerParameters(w,b,e)}}d[b]=x}return d}_drawLayersInViewport(e,{layers:t,shaderModuleProps:n,pass:i,target:s,canvasContext:o,viewport:a,view:c,isPicking:l},u){let f=gF(this.device,{canvasContext:o,shaderModuleProps:n,target:s,viewport:a});if(c){let{clear:h,clearColor:p,clearDepth:m,clearStencil:b}=c.props;if(h){let w=[0,0,0,0],_=1,x=0;Array.isArray(p)&&!l?w=[...p.slice(0,3),p[3]||255].map(T=>T/255):p===!1&&(w=!1),m!==void 0&&(_=m),b!==void 0&&(x=b),this.device.beginRenderPass({framebuffer:s,parameters:{viewport:f,scissorRect:f},clearColor:w,clearDepth:_,clearStencil:x}).end()}}let d={totalCount:t.length,visibleCount:0,compositeCount:0,pickableCount:0};e.setParameters({viewport:f});for(let h=0;h<t.length;h++){let p=t[h],m=u[h],{shouldDrawLayer:b}=m;if(b&&p.props.pickable&&d.pickableCount++,p.isComposite&&d.compositeCount++,p.isDrawable&&m.shouldDrawLayer){let{layerRenderIndex:w,shaderModuleProps:_,layerParameters:x}=m;d.visibleCount++,this._lastRenderIndex=Math.max(this._lastRenderIndex,w),_.project&&(_.project.viewport=a),p.context.renderPass=e;try{p._drawLayer({renderPass:e,shaderModuleProps:_,uniforms:{layerIndex:w},parameters:x})}catch(E){p.raiseError(E,`drawing ${p} to ${i}`)}}}return d}shouldDrawLayer(e){return!0}getShaderModuleProps(e,t,n){return null}getLayerParameters(e,t,n){return e.props.parameters}_shouldDrawLayer(e,t,n,i){if(!(e.props.visible&&this.shouldDrawLayer(e)))return!1;t.layer=e;let o=e.parent;for(;o;){if(!o.props.visible||!o.filterSubLayer(t))return!1;t.layer=o,o=o.parent}if(n){let a=t.layer.id;if(a in i||(i[a]=n(t)),!i[a])return!1}return e.activateViewport(t.viewport),!0}_getShaderModuleProps(e,t,n,i,s){let o=i.cssToDeviceRatio(),a=e.internalState?.propsInTransition||e.props,c={layer:a,picking:{isActive:!1},project:{viewport:e.context.viewport,devicePixelRatio:o,modelMatrix:a.modelMatrix,coordinateSystem:a.coordinateSystem,coordinateOrigin:a.coordinateOrigin,autoWrapLongitude:e.wrapLongitude}};if(t)for(let l of t)TS(c,l.getShaderModuleProps?.(e,c));for(let l of e.context.defaultShaderModules)l.name in c||(c[l.name]={});return TS(c,this.getShaderModuleProps(e,t,c),s)}};function PS(r=0,e={}){let t={},n=(i,s)=>{let o=i.props._offset,a=i.id,c=i.parent&&i.parent.id,l;if(c&&!(c in e)&&n(i.parent,!1),c in t){let u=t[c]=t[c]||PS(e[c],e);l=u(i,s),t[a]=u}else Number.isFinite(o)?(l=o+(e[c]||0),t[a]=null):l=r;return s&&l>=r&&(r=l+1),e[a]=l,l};return n}function gF(r,{canvasContext:e=r.canvasContext,shaderModuleProps:t,target:n,viewport:i}){let s=t?.project?.devicePixelRatio??e.cssToDeviceRatio(),[,o]=e.getDrawingBufferSize(),a=n?n.height:o,c=i;return[c.x*s,a-(c.y+c.height)*s,c.width*s,c.height*s]}function TS(r,...e){for(let t of e)if(t)for(let n in t)r[n]?Object.assign(r[n],t[n]):r[n]=t[n];return r}var ol=class extends Xn{constructor(e,t){super(e,t);let n=e.createTexture({format:"rgba8unorm",width:1,height:1,sampler:{minFilter:"linear",magFilter:"linear",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge"}}),i=e.createTexture({format:"depth16unorm",width:1,height:1});this.fbo=e.createFramebuffer({id:"shadowmap",width:1,height:1,colorAttachments:[n],depthStencilAttachment:i})}delete(){this.fbo&&(this.fbo.destroy(),this.fbo=null)}getShadowMap(){return this.fbo.colorAttachments[0].texture}render(e){let t=this.fbo,n=this.device.canvasContext.cssToDeviceRatio(),i=e.viewports[0],s=i.width*n,o=i.height*n,a=[1,1,1,1];(s!==t.width||o!==t.height)&&t.resize({width:s,height:o}),super.render({...e,clearColor:a,target:t,pass:"shadow"})}getLayerParameters(e,t,n){return{...e.props.parameters,blend:!1,depthWriteEnabled:!0,depthCompare:"less-equal"}}shouldDrawLayer(e){return e.props.shadowEnabled!==!1}getShaderModuleProps(e,t,n){return{shadow:{project:n.project,drawToShadowMap:!0}}}};var bF={color:[255,255,255],intensity:1},AS=[{color:[255,255,255],intensity:1,direction:[-1,3,-1]},{color:[255,255,255],intensity:.9,direction:[1,-8,-2.5]}],yF=[0,0,0,200/255],oa=class{constructor(e={}){this.id="lighting-effect",this.shadowColor=yF,this.shadow=!1,this.directionalLights=[],this.pointLights=[],this.shadowPasses=[],this.dummyShadowMap=null,this.setProps(e)}setup(e){this.context=e;let{device:t,deck:n}=e;this.shadow&&!this.dummyShadowMap&&(this._createShadowPasses(t),n._addDefaultShaderModule(pd),this.dummyShadowMap=t.createTexture({width:1,height:1}))}setProps(e){this.ambientLight=void 0,this.directionalLights=[],this.pointLights=[];for(let t in e){let n=e[t];switch(n.type){case"ambient":this.ambientLight=n;break;case"directional":this.directionalLights.push(n);break;case"point":this.pointLights.push(n);break;default:}}this._applyDefaultLights(),this.shadow=this.directionalLights.some(t=>t.shadow),this.context&&this.setup(this.context),this.props=e}preRender({layers:e,layerFilter:t,viewports:n,onViewportActive:i,views:s}){if(this.shadow){this.shadowMatrices=this._calculateMatrices();for(let o=0;o<this.shadowPasses.length;o++)this.shadowPasses[o].render({layers:e,layerFilter:t,viewports:n,onViewportActive:i,views:s,shaderModuleProps:{shadow:{shadowLightId:o,dummyShadowMap:this.dummyShadowMap,shadowMatrices:this.shadowMatrices}}})}}getShaderModuleProps(e,t){let n=this.shadow?{project:t.project,shadowMaps:this.shadowPasses.map(o=>o.getShadowMap()),dummyShadowMap:this.dummyShadowMap,shadowColor:this.shadowColor,shadowMatrices:this.shadowMatrices}:{},i={enabled:!0,lights:this._getLights(e)},s=e.props.material;return{shadow:n,lighting:i,phongMaterial:s,gouraudMaterial:s}}cleanup(e){for(let t of this.shadowPasses)t.delete();this.shadowPasses.length=0,this.dummyShadowMap&&(this.dummyShadowMap.destroy(),this.dummyShadowMap=null,e.deck._removeDefaultShaderModule(pd))}_calculateMatrices(){let e=[];for(let t of this.directionalLights){let n=new Qe().lookAt({eye:new vt(t.direction).negate()});e.push(n)}return e}_createShadowPasses(e){for(let t=0;t<this.directionalLights.length;t++){let n=new ol(e);this.shadowPasses[t]=n}}_applyDefaultLights(){let{ambientLight:e,pointLights:t,directionalLights:n}=this;!e&&t.length===0&&n.length===0&&(this.ambientLight=new gd(bF),this.directionalLights.push(new il(AS[0]),new il(AS[1])))}_getLights(e){let t=[];this.ambientLight&&t.push(this.ambientLight);for(let n of this.pointLights)t.push(n.getProjectedLight({layer:e}));for(let n of this.directionalLights)t.push(n.getProjectedLight({layer:e}));return t}};var ey=class{constructor(e={}){this._pool=[],this.opts={overAlloc:2,poolSize:100},this.setOptions(e)}setOptions(e){Object.assign(this.opts,e)}allocate(e,t,{size:n=1,type:i,padding:s=0,copy:o=!1,initialize:a=!1,maxCount:c}){let l=i||e&&e.constructor||Float32Array,u=t*n+s;if(ArrayBuffer.isView(e)){if(u<=e.length)return e;if(u*e.BYTES_PER_ELEMENT<=e.buffer.byteLength)return new l(e.buffer,0,u)}let f=1/0;c&&(f=c*n+s);let d=this._allocate(l,u,a,f);return e&&o?d.set(e):a||d.fill(0,0,4),this._release(e),d}release(e){this._release(e)}_allocate(e,t,n,i){let s=Math.max(Math.ceil(t*this.opts.overAlloc),1);s>i&&(s=i);let o=this._pool,a=e.BYTES_PER_ELEMENT*s,c=o.findIndex(l=>l.byteLength>=a);if(c>=0){let l=new e(o.splice(c,1)[0],0,s);return n&&l.fill(0),l}return new e(s)}_release(e){if(!ArrayBuffer.isView(e))return;let t=this._pool,{buffer:n}=e,{byteLength:i}=n,s=t.findIndex(o=>o.byteLength>=i);s<0?t.push(n):(s>0||t.length<this.opts.poolSize)&&t.splice(s,0,n),t.length>this.opts.poolSize&&t.shift()}},Zn=new ey;st();function ca(){return[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}function ty(r,e){let t=r%e;return t<0?e+t:t}function MS(r){return[r[12],r[13],r[14]]}function CS(r){return{left:aa(r[3]+r[0],r[7]+r[4],r[11]+r[8],r[15]+r[12]),right:aa(r[3]-r[0],r[7]-r[4],r[11]-r[8],r[15]-r[12]),bottom:aa(r[3]+r[1],r[7]+r[5],r[11]+r[9],r[15]+r[13]),top:aa(r[3]-r[1],r[7]-r[5],r[11]-r[9],r[15]-r[13]),near:aa(r[3]+r[2],r[7]+r[6],r[11]+r[10],r[15]+r[14]),far:aa(r[3]-r[2],r[7]-r[6],r[11]-r[10],r[15]-r[14])}}var LS=new vt;function aa(r,e,t,n){LS.set(r,e,t);let i=LS.len();return{distance:n/i,normal:new vt(-r/i,-e/i,-t/i)}}function _F(r){return r-Math.fround(r)}var al;function la(r,e){let{size:t=1,startIndex:n=0}=e,i=e.endIndex!==void 0?e.endIndex:r.length,s=(i-n)/t;al=Zn.allocate(al,s,{type:Float32Array,size:t*2});let o=n,a=0;for(;o<i;){for(let c=0;c<t;c++){let l=r[o++];al[a+c]=l,al[a+c+t]=_F(l)}a+=t*2}return al.subarray(0,s*t*2)}function RS(r){let e=null,t=!1;for(let n of r)n&&(e?(t||(e=[[e[0][0],e[0][1]],[e[1][0],e[1][1]]],t=!0),e[0][0]=Math.min(e[0][0],n[0][0]),e[0][1]=Math.min(e[0][1],n[0][1]),e[1][0]=Math.max(e[1][0],n[1][0]),e[1][1]=Math.max(e[1][1],n[1][1])):e=n);return e}st();var xF=Math.PI/180,wF=ca(),IS=[0,0,0],vF={unitsPerMeter:[1,1,1],metersPerUnit:[1,1,1]};function EF({width:r,height:e,orthographic:t,fovyRadians:n,focalDistance:i,padding:s,near:o,far:a}){let c=r/e,l=t?new Qe().orthographic({fovy:n,aspect:c,focalDistance:i,near:o,far:a}):new Qe().perspective({fovy:n,aspect:c,near:o,far:a});if(s){let{left:u=0,right:f=0,top:d=0,bottom:h=0}=s,p=Ue((u+r-f)/2,0,r)-r/2,m=Ue((d+e-h)/2,0,e)-e/2;l[8]-=p*2/r,l[9]+=m*2/e}return l}var bd=class r{constructor(e={}){this._frustumPlanes={},this.id=e.id||this.constructor.displayName||"viewport",this.x=e.x||0,this.y=e.y||0,this.width=e.width||1,this.height=e.height||1,this.zoom=e.zoom||0,this.padding=e.padding,this.distanceScales=e.distanceScales||vF,this.focalDistance=e.focalDistance||1,this.position=e.position||IS,this.modelMatrix=e.modelMatrix||null;let{longitude:t,latitude:n}=e;this.isGeospatial=Number.isFinite(n)&&Number.isFinite(t),this._initProps(e),this._initMatrices(e),this.equals=this.equals.bind(this),this.project=this.project.bind(this),this.unproject=this.unproject.bind(this),this.projectPosition=this.projectPosition.bind(this),this.unprojectPosition=this.unprojectPosition.bind(this),this.projectFlat=this.projectFlat.bind(this),this.unprojectFlat=this.unprojectFlat.bind(this)}get subViewports(){return null}get metersPerPixel(){return this.distanceScales.metersPerUnit[2]/this.scale}get projectionMode(){return this.isGeospatial?this.zoom<12?mt.WEB_MERCATOR:mt.WEB_MERCATOR_AUTO_OFFSET:mt.IDENTITY}equals(e){return e instanceof r?this===e?!0:e.width===this.width&&e.height===this.height&&e.scale===this.scale&&e.projectionMode===this.projectionMode&&e.resolution===this.resolution&&wn(e.distanceScales.unitsPerMeter,this.distanceScales.unitsPerMeter)&&wn(e.projectionMatrix,this.projectionMatrix)&&wn(e.viewMatrix,this.viewMatrix):!1}project(e,{topLeft:t=!0}={}){let n=this.projectPosition(e),i=Ci(n,this.pixelProjectionMatrix),[s,o]=i,a=t?o:this.height-o;return e.length===2?[s,a]:[s,a,i[2]]}unproject(e,{topLeft:t=!0,targetZ:n}={}){let[i,s,o]=e,a=t?s:this.height-s,c=n&&n*this.distanceScales.unitsPerMeter[2],l=Tn([i,a,o],this.pixelUnprojectionMatrix,c),[u,f,d]=this.unprojectPosition(l);return Number.isFinite(o)?[u,f,d]:Number.isFinite(n)?[u,f,n]:[u,f]}projectPosition(e){let[t,n]=this.projectFlat(e),i=(e[2]||0)*this.distanceScales.unitsPerMeter[2];return[t,n,i]}unprojectPosition(e){let[t,n]=this.unprojectFlat(e),i=(e[2]||0)*this.distanceScales.metersPerUnit[2];return[t,n,i]}projectFlat(e){if(this.isGeospatial){let t=Ut(e);return t[1]=Ue(t[1],-318,830),t}return e}unprojectFlat(e){return this.isGeospatial?fr(e):e}getBounds(e={}){let t={targetZ:e.z||0},n=this.unproject([0,0],t),i=this.unproject([this.width,0],t),s=this.unproject([0,this.height],t),o=this.unproject([this.width,this.height],t);return[Math.min(n[0],i[0],s[0],o[0]),Math.min(n[1],i[1],s[1],o[1]),Math.max(n[0],i[0],s[0],o[0]),Math.max(n[1],i[1],s[1],o[1])]}getDistanceScales(e){return e&&this.isGeospatial?sa({longitude:e[0],latitude:e[1],highPrecision:!0}):this.distanceScales}containsPixel({x:e,y:t,width:n=1,height:i=1}){return e<this.x+this.width&&this.x<e+n&&t<this.y+this.height&&this.y<t+i}getFrustumPlanes(){return this._frustumPlanes.near?this._frustumPlanes:(Object.assign(this._frustumPlanes,CS(this.viewProjectionMatrix)),this._frustumPlanes)}panByPosition(e,t,n){return null}_initProps(e){let t=e.longitude,n=e.latitude;this.isGeospatial&&(Number.isFinite(e.zoom)||(this.zoom=Kb({latitude:n})+Math.log2(this.focalDistance)),this.distanceScales=e.distanceScales||sa({latitude:n,longitude:t}));let i=Math.pow(2,this.zoom);this.scale=i;let{position:s,modelMatrix:o}=e,a=IS;if(s&&(a=o?new Qe(o).transformAsVector(s,[]):s),this.isGeospatial){let c=this.projectPosition([t,n,0]);this.center=new vt(a).scale(this.distanceScales.unitsPerMeter).add(c)}else this.center=this.projectPosition(a)}_initMatrices(e){let{viewMatrix:t=wF,projectionMatrix:n=null,orthographic:i=!1,fovyRadians:s,fovy:o=75,near:a=.1,far:c=1e3,padding:l=null,focalDistance:u=1}=e;this.viewMatrixUncentered=t,this.viewMatrix=new Qe().multiplyRight(t).translate(new vt(this.center).negate()),this.projectionMatrix=n||EF({width:this.width,height:this.height,orthographic:i,fovyRadians:s||o*xF,focalDistance:u,padding:l,near:a,far:c});let f=ca();it.multiply(f,f,this.projectionMatrix),it.multiply(f,f,this.viewMatrix),this.viewProjectionMatrix=f,this.viewMatrixInverse=it.invert([],this.viewMatrix)||this.viewMatrix,this.cameraPosition=MS(this.viewMatrixInverse);let d=ca(),h=ca();it.scale(d,d,[this.width/2,-this.height/2,1]),it.translate(d,d,[1,-1,0]),it.multiply(h,d,this.viewProjectionMatrix),this.pixelProjectionMatrix=h,this.pixelUnprojectionMatrix=it.invert(ca(),this.pixelProjectionMatrix),this.pixelUnprojectionMatrix||ie.warn("Pixel project matrix not invertible")()}};bd.displayName="Viewport";var ua=bd;st();var yd=class r extends ua{constructor(e={}){let{latitude:t=0,longitude:n=0,zoom:i=0,pitch:s=0,bearing:o=0,nearZMultiplier:a=.1,farZMultiplier:c=1.01,nearZ:l,farZ:u,orthographic:f=!1,projectionMatrix:d,repeat:h=!1,worldOffset:p=0,position:m,padding:b,legacyMeterSizes:w=!1}=e,{width:_,height:x,altitude:E=1.5}=e,T=Math.pow(2,i);_=_||1,x=x||1;let A,I=null;if(d)E=d[5]/2,A=Bs(E);else{e.fovy?(A=e.fovy,E=rl(A)):A=Bs(E);let N;if(b){let{top:M=0,bottom:R=0}=b;N=[0,Ue((M+x-R)/2,0,x)-x/2]}I=Qb({width:_,height:x,scale:T,center:m&&[0,0,m[2]*el(t)],offset:N,pitch:s,fovy:A,nearZMultiplier:a,farZMultiplier:c}),Number.isFinite(l)&&(I.near=l),Number.isFinite(u)&&(I.far=u)}let D=fd({height:x,pitch:s,bearing:o,scale:T,altitude:E});p&&(D=new Qe().translate([512*p,0,0]).multiplyLeft(D)),super({...e,width:_,height:x,viewMatrix:D,longitude:n,latitude:t,zoom:i,...I,fovy:A,focalDistance:E}),this.latitude=t,this.longitude=n,this.zoom=i,this.pitch=s,this.bearing=o,this.altitude=E,this.fovy=A,this.orthographic=f,this._subViewports=h?[]:null,this._pseudoMeters=w,Object.freeze(this)}get subViewports(){if(this._subViewports&&!this._subViewports.length){let e=this.getBounds(),t=Math.floor((e[0]+180)/360),n=Math.ceil((e[2]-180)/360);for(let i=t;i<=n;i++){let s=i?new r({...this,worldOffset:i}):this;this._subViewports.push(s)}}return this._subViewports}equals(e){return e instanceof r&&e._pseudoMeters===this._pseudoMeters&&super.equals(e)}projectPosition(e){if(this._pseudoMeters)return super.projectPosition(e);let[t,n]=this.projectFlat(e),i=(e[2]||0)*el(e[1]);return[t,n,i]}unprojectPosition(e){if(this._pseudoMeters)return super.unprojectPosition(e);let[t,n]=this.unprojectFlat(e),i=(e[2]||0)/el(n);return[t,n,i]}addMetersToLngLat(e,t){return tl(e,t)}panByPosition(e,t,n){let i=Tn(t,this.pixelUnprojectionMatrix),s=this.projectFlat(e),o=Ft.add([],s,Ft.negate([],i)),a=Ft.add([],this.center,o),[c,l]=this.unprojectFlat(a);return{longitude:c,latitude:l}}panByPosition3D(e,t){let n=e[2]||0,i=Ft.sub([],e,this.unproject(t,{targetZ:n}));return{longitude:this.longitude+i[0],latitude:this.latitude+i[1]}}getBounds(e={}){let t=hd(this,e.z||0);return[Math.min(t[0][0],t[1][0],t[2][0],t[3][0]),Math.min(t[0][1],t[1][1],t[2][1],t[3][1]),Math.max(t[0][0],t[1][0],t[2][0],t[3][0]),Math.max(t[0][1],t[1][1],t[2][1],t[3][1])]}fitBounds(e,t={}){let{width:n,height:i}=this,{longitude:s,latitude:o,zoom:a}=dd({width:n,height:i,bounds:e,...t});return new r({width:n,height:i,longitude:s,latitude:o,zoom:a})}};yd.displayName="WebMercatorViewport";var _d=yd;st();var BS=[0,0,0];function ry(r,e,t=!1){let n=e.projectPosition(r);if(t&&e instanceof _d){let[i,s,o=0]=r,a=e.getDistanceScales([i,s]);n[2]=o*a.unitsPerMeter[2]}return n}function SF(r){let{viewport:e,modelMatrix:t,coordinateOrigin:n}=r,{coordinateSystem:i,fromCoordinateSystem:s,fromCoordinateOrigin:o}=r;return i==="default"&&(i=e.isGeospatial?"lnglat":"cartesian"),s===void 0?s=i:s==="default"&&(s=e.isGeospatial?"lnglat":"cartesian"),o===void 0&&(o=n),{viewport:e,coordinateSystem:i,coordinateOrigin:n,modelMatrix:t,fromCoordinateSystem:s,fromCoordinateOrigin:o}}function xd(r,{viewport:e,modelMatrix:t,coordinateSystem:n,coordinateOrigin:i,offsetMode:s}){let[o,a,c=0]=r;switch(t&&([o,a,c]=Hr.transformMat4([],[o,a,c,1],t)),n){case"default":return xd(r,{viewport:e,modelMatrix:t,coordinateSystem:e.isGeospatial?"lnglat":"cartesian",coordinateOrigin:i,offsetMode:s});case"lnglat":return ry([o,a,c],e,s);case"lnglat-offsets":return ry([o+i[0],a+i[1],c+(i[2]||0)],e,s);case"meter-offsets":return ry(tl(i,[o,a,c]),e,s);case"cartesian":return e.isGeospatial?[o+i[0],a+i[1],c+i[2]]:e.projectPosition([o,a,c]);default:throw new Error(`Invalid coordinateSystem: ${n}`)}}function kS(r,e){let{viewport:t,coordinateSystem:n,coordinateOrigin:i,modelMatrix:s,fromCoordinateSystem:o,fromCoordinateOrigin:a}=SF(e),{autoOffset:c=!0}=e,{geospatialOrigin:l=BS,shaderCoordinateOrigin:u=BS,offsetMode:f=!1}=c?Yb(t,n,i):{},d=xd(r,{viewport:t,modelMatrix:s,coordinateSystem:o,coordinateOrigin:a,offsetMode:f});if(f){let h=t.projectPosition(l||u);Ps.sub(d,d,h)}return d}var oU={blendColorOperation:"add",blendColorSrcFactor:"one",blendColorDstFactor:"zero",blendAlphaOperation:"add",blendAlphaSrcFactor:"constant",blendAlphaDstFactor:"zero"},Ds=class extends Xn{constructor(){super(...arguments),this._colorEncoderState=null}render(e){return"pickingFBO"in e?this._drawPickingBuffer(e):{decodePickingColor:null,stats:super._render(e)}}_drawPickingBuffer({layers:e,layerFilter:t,views:n,viewports:i,onViewportActive:s,pickingFBO:o,deviceRect:{x:a,y:c,width:l,height:u},cullRect:f,effects:d,pass:h="picking",pickZ:p,canvasContext:m,shaderModuleProps:b,clearColor:w}){this.pickZ=p;let _=this._resetColorEncoder(p),x=[a,c,l,u],E=super._render({target:o,layers:e,layerFilter:t,views:n,viewports:i,onViewportActive:s,cullRect:f,effects:d?.filter(A=>A.useInPicking),pass:h,canvasContext:m,isPicking:!0,shaderModuleProps:b,clearColor:w??[0,0,0,0],colorMask:15,scissorRect:x});return this._colorEncoderState=null,{decodePickingColor:_&&aU.bind(null,_),stats:E}}shouldDrawLayer(e){let{pickable:t,operation:n}=e.props;return t&&n.includes("draw")||n.includes("terrain")||n.includes("mask")}getShaderModuleProps(e,t,n){return{picking:{isActive:1,isAttribute:this.pickZ,disabledPickingIndices:e.internalState?.disabledPickingIndices},lighting:{enabled:!1}}}getLayerParameters(e,t,n){let i={...e.props.parameters},{pickable:s,operation:o}=e.props;return this._colorEncoderState?s&&o.includes("draw")?(Object.assign(i,oU),i.blend=!0,this.device.type==="webgpu"?i.blendConstant=hT(this._colorEncoderState,e,n):i.blendColor=hT(this._colorEncoderState,e,n),o.includes("terrain")&&e.state?._hasPickingCover&&(i.blendAlphaSrcFactor="one")):o.includes("terrain")&&(i.blend=!1):i.blend=!1,i}_resetColorEncoder(e){return this._colorEncoderState=e?null:{byLayer:new Map,byAlpha:[]},this._colorEncoderState}};function hT(r,e,t){let{byLayer:n,byAlpha:i}=r,s,o=n.get(e);return o?(o.viewports.push(t),s=o.a):(s=n.size+1,s<=255?(o={a:s,layer:e,viewports:[t]},n.set(e,o),i[s]=o):(ie.warn("Too many pickable layers, only picking the first 255")(),s=0)),[0,0,0,s/255]}function aU(r,e){let t=r.byAlpha[e[3]];return t&&{pickedLayer:t.layer,pickedViewports:t.viewports,pickedObjectIndex:t.layer.decodePickingColor(e)}}He();var Ii={NO_STATE:"Awaiting state",MATCHED:"Matched. State transferred from previous layer",INITIALIZED:"Initialized",AWAITING_GC:"Discarded. Awaiting garbage collection",AWAITING_FINALIZATION:"No longer matched. Awaiting garbage collection",FINALIZED:"Finalized! Awaiting garbage collection"},ga=Symbol.for("component"),Ln=Symbol.for("propTypes"),Sd=Symbol.for("deprecatedProps"),Qn=Symbol.for("asyncPropDefaults"),Mn=Symbol.for("asyncPropOriginal"),Zr=Symbol.for("asyncPropResolved");function Td(r,e=()=>!0){return Array.isArray(r)?pT(r,e,[]):e(r)?[r]:[]}function pT(r,e,t){let n=-1;for(;++n<r.length;){let i=r[n];Array.isArray(i)?pT(i,e,t):e(i)&&t.push(i)}return t}function mT({target:r,source:e,start:t=0,count:n=1}){let i=e.length,s=n*i,o=0;for(let a=t;o<i;o++)r[a++]=e[o];for(;o<s;)o<s-o?(r.copyWithin(t+o,t,t+o),o*=2):(r.copyWithin(t+o,t,t+s-o),o=s);return r}rc();var dl=class{constructor(e,t,n){this._loadCount=0,this._subscribers=new Set,this.id=e,this.context=n,this.setData(t)}subscribe(e){this._subscribers.add(e)}unsubscribe(e){this._subscribers.delete(e)}inUse(){return this._subscribers.size>0}delete(){}getData(){return this.isLoaded?this._error?Promise.reject(this._error):this._content:this._loader.then(()=>this.getData())}setData(e,t){if(e===this._data&&!t)return;this._data=e;let n=++this._loadCount,i=e;typeof e=="string"&&(i=ko(e)),i instanceof Promise?(this.isLoaded=!1,this._loader=i.then(s=>{this._loadCount===n&&(this.isLoaded=!0,this._error=void 0,this._content=s)}).catch(s=>{this._loadCount===n&&(this.isLoaded=!0,this._error=s||!0)})):(this.isLoaded=!0,this._error=void 0,this._content=e);for(let s of this._subscribers)s.onChange(this.getData())}};var hl=class{constructor(e){this.protocol=e.protocol||"resource://",this._context={device:e.device,gl:e.device?.gl,resourceManager:this},this._resources={},this._consumers={},this._pruneRequest=null}contains(e){return e.startsWith(this.protocol)?!0:e in this._resources}add({resourceId:e,data:t,forceUpdate:n=!1,persistent:i=!0}){let s=this._resources[e];s?s.setData(t,n):(s=new dl(e,t,this._context),this._resources[e]=s),s.persistent=i}remove(e){let t=this._resources[e];t&&(t.delete(),delete this._resources[e])}unsubscribe({consumerId:e}){let t=this._consumers[e];if(t){for(let n in t){let i=t[n],s=this._resources[i.resourceId];s&&s.unsubscribe(i)}delete this._consumers[e],this.prune()}}subscribe({resourceId:e,onChange:t,consumerId:n,requestId:i="default"}){let{_resources:s,protocol:o}=this;e.startsWith(o)&&(e=e.replace(o,""),s[e]||this.add({resourceId:e,data:null,persistent:!1}));let a=s[e];if(this._track(n,i,a,t),a)return a.getData()}prune(){this._pruneRequest||(this._pruneRequest=setTimeout(()=>this._prune(),0))}finalize(){for(let e in this._resources)this._resources[e].delete()}_track(e,t,n,i){let s=this._consumers,o=s[e]=s[e]||{},a=o[t],c=a&&a.resourceId&&this._resources[a.resourceId];c&&(c.unsubscribe(a),this.prune()),n&&(a?(a.onChange=i,a.resourceId=n.id):a={onChange:i,resourceId:n.id},o[t]=a,n.subscribe(a))}_prune(){this._pruneRequest=null;for(let e of Object.keys(this._resources)){let t=this._resources[e];!t.persistent&&!t.inUse()&&(t.delete(),delete this._resources[e])}}};var cU="layerManager.setLayers",lU="layerManager.activateViewport",pl=class{constructor(e,t){this._lastRenderedLayers=[],this._needsRedraw=!1,this._needsUpdate=!1,this._nextLayers=null,this._debug=!1,this._defaultShaderModulesChanged=!1,this.activateViewport=a=>{Ke(lU,this,a),a&&(this.context.viewport=a)};let{deck:n,stats:i,viewport:s,timeline:o}=t||{};this.layers=[],this.resourceManager=new hl({device:e,protocol:"deck://"}),this.context={mousePosition:null,userData:{},layerManager:this,device:e,gl:e?.gl,deck:n,shaderAssembler:SS(e?.info?.shadingLanguage||"glsl"),defaultShaderModules:[Ob],renderPass:void 0,stats:i||new Pr({id:"deck.gl"}),viewport:s||new ua({id:"DEFAULT-INITIAL-VIEWPORT"}),timeline:o||new Os,resourceManager:this.resourceManager,onError:void 0},Object.seal(this)}finalize(){this.resourceManager.finalize();for(let e of this.layers)this._finalizeLayer(e)}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;e.clearRedrawFlags&&(this._needsRedraw=!1);for(let n of this.layers){let i=n.getNeedsRedraw(e);t=t||i}return t}needsUpdate(){return this._nextLayers&&this._nextLayers!==this._lastRenderedLayers?"layers changed":this._defaultShaderModulesChanged?"shader modules changed":this._needsUpdate}setNeedsRedraw(e){this._needsRedraw=this._needsRedraw||e}setNeedsUpdate(e){this._needsUpdate=this._needsUpdate||e}getLayers({layerIds:e}={}){return e?this.layers.filter(t=>e.find(n=>t.id.indexOf(n)===0)):this.layers}setProps(e){"debug"in e&&(this._debug=e.debug),"userData"in e&&(this.context.userData=e.userData),"layers"in e&&(this._nextLayers=e.layers),"onError"in e&&(this.context.onError=e.onError)}setLayers(e,t){Ke(cU,this,t,e),this._lastRenderedLayers=e;let n=Td(e,Boolean);for(let i of n)i.context=this.context;this._updateLayers(this.layers,n)}updateLayers(){let e=this.needsUpdate();e&&(this.setNeedsRedraw(`updating layers: ${e}`),this.setLayers(this._nextLayers||this._lastRenderedLayers,e)),this._nextLayers=null}addDefaultShaderModule(e){let{defaultShaderModules:t}=this.context;t.find(n=>n.name===e.name)||(t.push(e),this._defaultShaderModulesChanged=!0)}removeDefaultShaderModule(e){let{defaultShaderModules:t}=this.context,n=t.findIndex(i=>i.name===e.name);n>=0&&(t.splice(n,1),this._defaultShaderModulesChanged=!0)}_handleError(e,t,n){n.raiseError(t,`${e} of ${n}`)}_updateLayers(e,t){let n={};for(let o of e)n[o.id]?ie.warn(`Multiple old layers with same id ${o.id}`)():n[o.id]=o;if(this._defaultShaderModulesChanged){for(let o of e)o.setNeedsUpdate(),o.setChangeFlags({extensionsChanged:!0});this._defaultShaderModulesChanged=!1}let i=[];this._updateSublayersRecursively(t,n,i),this._finalizeOldLayers(n);let s=!1;for(let o of i)if(o.hasUniformTransition()){s=`Uniform transition in ${o}`;break}this._needsUpdate=s,this.layers=i}_updateSublayersRecursively(e,t,n){for(let i of e){i.context=this.context;let s=t[i.id];s===null&&ie.warn(`Multiple new layers with same id ${i.id}`)(),t[i.id]=null;let o=null;try{this._debug&&s!==i&&i.validateProps(),s?(this._transferLayerState(s,i),this._updateLayer(i)):this._initializeLayer(i),n.push(i),o=i.isComposite?i.getSubLayers():null}catch(a){this._handleError("matching",a,i)}o&&this._updateSublayersRecursively(o,t,n)}}_finalizeOldLayers(e){for(let t in e){let n=e[t];n&&this._finalizeLayer(n)}}_initializeLayer(e){try{e._initialize(),e.lifecycle=Ii.INITIALIZED}catch(t){this._handleError("initialization",t,e)}}_transferLayerState(e,t){t._transferState(e),t.lifecycle=Ii.MATCHED,t!==e&&(e.lifecycle=Ii.AWAITING_GC)}_updateLayer(e){try{e._update()}catch(t){this._handleError("update",t,e)}}_finalizeLayer(e){this._needsRedraw=this._needsRedraw||`finalized ${e}`,e.lifecycle=Ii.AWAITING_FINALIZATION;try{e._finalize(),e.lifecycle=Ii.FINALIZED}catch(t){this._handleError("finalization",t,e)}}};function Ve(r,e,t){if(r===e)return!0;if(!t||!r||!e)return!1;if(Array.isArray(r)){if(!Array.isArray(e)||r.length!==e.length)return!1;for(let n=0;n<r.length;n++)if(!Ve(r[n],e[n],t-1))return!1;return!0}if(Array.isArray(e))return!1;if(typeof r=="object"&&typeof e=="object"){let n=Object.keys(r),i=Object.keys(e);if(n.length!==i.length)return!1;for(let s of n)if(!e.hasOwnProperty(s)||!Ve(r[s],e[s],t-1))return!1;return!0}return!1}var Bi="default-canvas",ml=class{constructor(e){this.views=[],this.width=100,this.height=100,this.viewState={},this.controllers={},this.timeline=e.timeline,this._viewports=[],this._viewportMap={},this._isUpdating=!1,this._needsRedraw="First render",this._needsUpdate="Initialize",this._eventManager=e.eventManager,this._eventManagers=e.eventManagers||{},this._viewEventManagers={},this._eventCallbacks={onViewStateChange:e.onViewStateChange,onInteractionStateChange:e.onInteractionStateChange},this._pickPosition=e.pickPosition,this._getCanvasContext=e.getCanvasContext,Object.seal(this),this.setProps(e)}finalize(){for(let e in this.controllers){let t=this.controllers[e];t&&t.finalize()}this.controllers={}}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}setNeedsUpdate(e){this._needsUpdate=this._needsUpdate||e,this._needsRedraw=this._needsRedraw||e}updateViewStates(){for(let e in this.controllers){let t=this.controllers[e];t&&t.updateTransition()}}getViewports(e){return e?this._viewports.filter(t=>{let n=!e.canvasId||this.getCanvasId(t.id)===e.canvasId,i=!("x"in e)||t.containsPixel(e);return n&&i}):this._viewports}getViews(){let e={};return this.views.forEach(t=>{e[t.id]=t}),e}getView(e){return this.views.find(t=>t.id===e)}getViewState(e){let t=typeof e=="string"?this.getView(e):e,n=t&&this.viewState[t.getViewStateId()]||this.viewState;return t?t.filterViewState(n):n}getViewport(e){return this._viewportMap[e]}getCanvasId(e){let t=typeof e=="string"?this.getView(e):e;return t?this._viewEventManagers[t.id]?.canvasId||this._getCanvasIdFromView(t):void 0}unproject(e,t){let n=this.getViewports(),i={x:e[0],y:e[1]};for(let s=n.length-1;s>=0;--s){let o=n[s];if(o.containsPixel(i)){let a=e.slice();return a[0]-=o.x,a[1]-=o.y,o.unproject(a,t)}}return null}setProps(e){e.views&&this._setViews(e.views),e.viewState&&this._setViewState(e.viewState),("width"in e||"height"in e)&&this._setSize(e.width,e.height),"pickPosition"in e&&(this._pickPosition=e.pickPosition),"eventManagers"in e&&this._setEventManagers(e.eventManagers||{}),this._isUpdating||this._update()}_update(){this._isUpdating=!0,this._needsUpdate&&(this._needsUpdate=!1,this._rebuildViewports()),this._needsUpdate&&(this._needsUpdate=!1,this._rebuildViewports()),this._isUpdating=!1}_setSize(e,t){(e!==this.width||t!==this.height)&&(this.width=e,this.height=t,this.setNeedsUpdate("Size changed"))}_setViews(e){e=Td(e,Boolean),this._diffViews(e,this.views)&&this.setNeedsUpdate("views changed"),this.views=e}_setViewState(e){e?(!Ve(e,this.viewState,3)&&this.setNeedsUpdate("viewState changed"),this.viewState=e):ie.warn("missing `viewState` or `initialViewState`")()}_setEventManagers(e){this._eventManagers!==e&&(this._eventManagers=e,this.setNeedsUpdate("eventManagers changed"))}_getCanvasIdFromView(e){return e.props.canvasId||this._getCanvasContext?.(e.id)?.id||Bi}_getCanvasDimensions(e){let t=this._getCanvasContext?.(e.id),[n,i]=t?.getCSSSize()||[this.width,this.height];return{width:n,height:i}}_getViewEventManager(e){let t=this.getCanvasId(e)||Bi;return{canvasId:t,eventManager:this._eventManagers[t]||this._eventManager}}_startViewportRebuild(){let e=this.controllers,t=this._viewEventManagers;return this._viewports=[],this.controllers={},this._viewEventManagers={},{oldControllers:e,oldViewEventManagers:t}}_getReusableController(e,t,n){return e&&(t?.canvasId!==n.canvasId||t?.eventManager!==n.eventManager)?(e.finalize(),null):e}_createController(e,t){let n=t.type;return new n({timeline:this.timeline,eventManager:this._getViewEventManager(e).eventManager,onViewStateChange:this._eventCallbacks.onViewStateChange,onStateChange:this._eventCallbacks.onInteractionStateChange,makeViewport:s=>this.getView(e.id)?.makeViewport({viewState:s,...this._getCanvasDimensions(e)}),pickPosition:(s,o)=>this._pickPosition?.(s,o,e.id)})}_updateController(e,t,n,i){let s=e.controller;if(s&&n){let o={...t,...s,id:e.id,x:n.x,y:n.y,width:n.width,height:n.height};return(!i||i.constructor!==s.type)&&(i=this._createController(e,o)),i&&i.setProps(o),i}return null}_rebuildViewports(){let{views:e}=this,{oldControllers:t,oldViewEventManagers:n}=this._startViewportRebuild(),i=!1;for(let s=e.length;s--;){let o=e[s],{width:a,height:c}=this._getCanvasDimensions(o),l=this._getViewEventManager(o);this._viewEventManagers[o.id]=l;let u=this.getViewState(o),f=o.makeViewport({viewState:u,width:a,height:c}),d=this._getReusableController(t[o.id],n[o.id],l),h=!!o.controller;h&&!d&&(i=!0),(i||!h)&&d&&(d.finalize(),d=null),this.controllers[o.id]=this._updateController(o,u,f,d),f&&this._viewports.unshift(f)}for(let s in t){let o=t[s];o&&!this.controllers[s]&&o.finalize()}this._buildViewportMap()}_buildViewportMap(){this._viewportMap={},this._viewports.forEach(e=>{e.id&&(this._viewportMap[e.id]=this._viewportMap[e.id]||e)})}_diffViews(e,t){return e.length!==t.length?!0:e.some((n,i)=>!e[i].equals(t[i]))}};var uU=/^(?:\d+\.?\d*|\.\d+)$/;function Ht(r){switch(typeof r){case"number":if(!Number.isFinite(r))throw new Error(`Could not parse position string ${r}`);return{type:"literal",value:r};case"string":try{let e=fU(r);return new gy(e).parseExpression()}catch(e){let t=e instanceof Error?e.message:String(e);throw new Error(`Could not parse position string ${r}: ${t}`)}default:throw new Error(`Could not parse position string ${r}`)}}function my(r,e){switch(r.type){case"literal":return r.value;case"percentage":return Math.round(r.value*e);case"binary":let t=my(r.left,e),n=my(r.right,e);return r.operator==="+"?t+n:t-n;default:throw new Error("Unknown layout expression type")}}function Yt(r,e){return my(r,e)}function fU(r){let e=[],t=0;for(;t<r.length;){let n=r[t];if(/\s/.test(n)){t++;continue}if(n==="+"||n==="-"||n==="("||n===")"||n==="%"){e.push({type:"symbol",value:n}),t++;continue}if(gT(n)||n==="."){let i=t,s=n===".";for(t++;t<r.length;){let a=r[t];if(gT(a)){t++;continue}if(a==="."&&!s){s=!0,t++;continue}break}let o=r.slice(i,t);if(!uU.test(o))throw new Error("Invalid number token");e.push({type:"number",value:parseFloat(o)});continue}if(bT(n)){let i=t;for(;t<r.length&&bT(r[t]);)t++;let s=r.slice(i,t).toLowerCase();e.push({type:"word",value:s});continue}throw new Error("Invalid token in position string")}return e}var gy=class{constructor(e){this.index=0,this.tokens=e}parseExpression(){let e=this.parseBinaryExpression();if(this.index<this.tokens.length)throw new Error("Unexpected token at end of expression");return e}parseBinaryExpression(){let e=this.parseFactor(),t=this.peek();for(;dU(t);){this.index++;let n=this.parseFactor();e={type:"binary",operator:t.value,left:e,right:n},t=this.peek()}return e}parseFactor(){let e=this.peek();if(!e)throw new Error("Unexpected end of expression");if(e.type==="symbol"&&e.value==="+")return this.index++,this.parseFactor();if(e.type==="symbol"&&e.value==="-"){this.index++;let t=this.parseFactor();return{type:"binary",operator:"-",left:{type:"literal",value:0},right:t}}if(e.type==="symbol"&&e.value==="("){this.index++;let t=this.parseBinaryExpression();if(!this.consumeSymbol(")"))throw new Error("Missing closing parenthesis");return t}if(e.type==="word"&&e.value==="calc"){if(this.index++,!this.consumeSymbol("("))throw new Error("Missing opening parenthesis after calc");let t=this.parseBinaryExpression();if(!this.consumeSymbol(")"))throw new Error("Missing closing parenthesis");return t}if(e.type==="number"){this.index++;let t=e.value,n=this.peek();return n&&n.type==="symbol"&&n.value==="%"?(this.index++,{type:"percentage",value:t/100}):n&&n.type==="word"&&n.value==="px"?(this.index++,{type:"literal",value:t}):{type:"literal",value:t}}throw new Error("Unexpected token in expression")}consumeSymbol(e){let t=this.peek();return t&&t.type==="symbol"&&t.value===e?(this.index++,!0):!1}peek(){return this.tokens[this.index]||null}};function gT(r){return r>="0"&&r<="9"}function bT(r){return r>="a"&&r<="z"||r>="A"&&r<="Z"}function dU(r){return!!(r&&r.type==="symbol"&&(r.value==="+"||r.value==="-"))}function yT(r,e){let t={...r};for(let n in e)n!=="id"&&(Array.isArray(t[n])&&Array.isArray(e[n])?t[n]=hU(t[n],e[n]):t[n]=e[n]);return t}function hU(r,e){r=r.slice();for(let t=0;t<e.length;t++){let n=e[t];Number.isFinite(n)&&(r[t]=n)}return r}var Ns=class{constructor(e){let{id:t,x:n=0,y:i=0,width:s="100%",height:o="100%",padding:a=null}=e;this.id=t||this.constructor.displayName||"view",this.props={...e,id:this.id},this._x=Ht(n),this._y=Ht(i),this._width=Ht(s),this._height=Ht(o),this._padding=a&&{left:Ht(a.left||0),right:Ht(a.right||0),top:Ht(a.top||0),bottom:Ht(a.bottom||0)},this.equals=this.equals.bind(this),Object.seal(this)}equals(e){return this===e?!0:this.constructor===e.constructor&&Ve(this.props,e.props,2)}clone(e){let t=this.constructor;return new t({...this.props,...e})}makeViewport({width:e,height:t,viewState:n}){n=this.filterViewState(n);let i=this.getDimensions({width:e,height:t});if(!i.height||!i.width)return null;let s=this.getViewportType(n);return new s({...n,...this.props,...i})}getViewStateId(){let{viewState:e}=this.props;return typeof e=="string"?e:e?.id||this.id}filterViewState(e){return this.props.viewState&&typeof this.props.viewState=="object"?this.props.viewState.id?yT(e,this.props.viewState):this.props.viewState:e}getDimensions({width:e,height:t}){let n={x:Yt(this._x,e),y:Yt(this._y,t),width:Yt(this._width,e),height:Yt(this._height,t)};return this._padding&&(n.padding={left:Yt(this._padding.left,e),top:Yt(this._padding.top,t),right:Yt(this._padding.right,e),bottom:Yt(this._padding.bottom,t)}),n}get controller(){let e=this.props.controller;return e?e===!0?{type:this.ControllerType}:typeof e=="function"?{type:e}:{type:this.ControllerType,...e}:null}};st();var Kr=class{constructor(e){this._inProgress=!1,this._handle=null,this.time=0,this.settings={duration:0},this._timeline=e}get inProgress(){return this._inProgress}start(e){this.cancel(),this.settings=e,this._inProgress=!0,this.settings.onStart?.(this)}end(){this._inProgress&&(this._timeline.removeChannel(this._handle),this._handle=null,this._inProgress=!1,this.settings.onEnd?.(this))}cancel(){this._inProgress&&(this.settings.onInterrupt?.(this),this._timeline.removeChannel(this._handle),this._handle=null,this._inProgress=!1)}update(){if(!this._inProgress)return!1;if(this._handle===null){let{_timeline:e,settings:t}=this;this._handle=e.addChannel({delay:e.getTime(),duration:t.duration})}return this.time=this._timeline.getTime(this._handle),this._onUpdate(),this.settings.onUpdate?.(this),this._timeline.isFinished(this._handle)&&this.end(),!0}_onUpdate(){}};var _T=()=>{},xT={mode:"preserve"},pU={mode:"hard"},by={BREAK:1,SNAP_TO_END:2,IGNORE:3},mU=r=>r,gU=by.BREAK,gl=class{constructor(e){this._onTransitionUpdate=t=>{let{time:n,settings:{interpolator:i,startProps:s,endProps:o,duration:a,easing:c}}=t,l=c(n/a),u=i.interpolateProps(s,o,l);this.propsInTransition=this.getControllerState({...this.props,...u},xT).getViewportProps(),this.onViewStateChange({viewState:this.propsInTransition,oldViewState:this.props})},this.getControllerState=e.getControllerState,this.propsInTransition=null,this.transition=new Kr(e.timeline),this.onViewStateChange=e.onViewStateChange||_T,this.onStateChange=e.onStateChange||_T}finalize(){this.transition.cancel()}getViewportInTransition(){return this.propsInTransition}processViewStateChange(e){let t=!1,n=this.props;if(this.props=e,!n||this._shouldIgnoreViewportChange(n,e))return!1;if(this._isTransitionEnabled(e)){let i=n;if(this.transition.inProgress){let{interruption:s,endProps:o}=this.transition.settings;i={...n,...s===by.SNAP_TO_END?o:this.propsInTransition||n}}this._triggerTransition(i,e),t=!0}else this.transition.cancel();return t}updateTransition(){this.transition.update()}_isTransitionEnabled(e){let{transitionDuration:t,transitionInterpolator:n}=e;return(t>0||t==="auto")&&!!n}_isUpdateDueToCurrentTransition(e){return this.transition.inProgress&&this.propsInTransition?this.transition.settings.interpolator.arePropsEqual(e,this.propsInTransition):!1}_shouldIgnoreViewportChange(e,t){return this.transition.inProgress?this.transition.settings.interruption===by.IGNORE||this._isUpdateDueToCurrentTransition(t):this._isTransitionEnabled(t)?t.transitionInterpolator.arePropsEqual(e,t):!0}_triggerTransition(e,t){let n=this.getControllerState(e,xT),i=this.getControllerState(t,pU).shortestPathFrom(n),s=t.transitionInterpolator,o=s.getDuration?s.getDuration(e,t):t.transitionDuration;if(o===0)return;let a=s.initializeProps(e,i);this.propsInTransition={};let c={duration:o,easing:t.transitionEasing||mU,interpolator:s,interruption:t.transitionInterruption||gU,startProps:a.start,endProps:a.end,onStart:t.onTransitionStart,onUpdate:this._onTransitionUpdate,onInterrupt:this._onTransitionEnd(t.onTransitionInterrupt),onEnd:this._onTransitionEnd(t.onTransitionEnd)};this.transition.start(c),this.onStateChange({inTransition:!0}),this.updateTransition()}_onTransitionEnd(e){return t=>{this.propsInTransition=null,this.onStateChange({inTransition:!1,isZooming:!1,isPanning:!1,isRotating:!1}),e?.(t)}}};st();function be(r,e){if(!r)throw new Error(e||"deck.gl: assertion failed.")}var bl=class{constructor(e){let{compare:t,extract:n,required:i}=e;this._propsToCompare=t,this._propsToExtract=n||t,this._requiredProps=i}arePropsEqual(e,t){for(let n of this._propsToCompare)if(!(n in e)||!(n in t)||!wn(e[n],t[n]))return!1;return!0}initializeProps(e,t){let n={},i={};for(let s of this._propsToExtract)(s in e||s in t)&&(n[s]=e[s],i[s]=t[s]);return this._checkRequiredProps(n),this._checkRequiredProps(i),{start:n,end:i}}getDuration(e,t){return t.transitionDuration}_checkRequiredProps(e){this._requiredProps&&this._requiredProps.forEach(t=>{let n=e[t];be(Number.isFinite(n)||Array.isArray(n),`${t} is required for transition`)})}};st();var bU=["longitude","latitude","zoom","bearing","pitch"],yU=["longitude","latitude","zoom"],Jn=class extends bl{constructor(e={}){let t=Array.isArray(e)?e:e.transitionProps,n=Array.isArray(e)?{}:e;n.transitionProps=Array.isArray(t)?{compare:t,required:t}:t||{compare:bU,required:yU},super(n.transitionProps),this.opts=n}initializeProps(e,t){let n=super.initializeProps(e,t),{makeViewport:i,around:s}=this.opts;if(i&&s){let o=i(e),a=i(t),c=o.unproject(s);n.start.around=s,Object.assign(n.end,{around:a.project(c),aroundPosition:c,width:t.width,height:t.height})}return n}interpolateProps(e,t,n){let i={};for(let s of this._propsToExtract)i[s]=jr(e[s]||0,t[s]||0,n);if(t.aroundPosition&&this.opts.makeViewport){let s=this.opts.makeViewport({...t,...i});Object.assign(i,s.panByPosition(t.aroundPosition,jr(e.around,t.around,n)))}return i}};var Cn={transitionDuration:0},_U=300,xU=300,yy=r=>1-(1-r)*(1-r),wU=r=>r===1?1:1-Math.pow(2,-10*r),Fs={WHEEL:["wheel"],PAN:["panstart","panmove","panend"],PINCH:["pinchstart","pinchmove","pinchend"],MULTI_PAN:["multipanstart","multipanmove","multipanend"],DOUBLE_CLICK:["dblclick"],DOUBLE_CLICK_DRAG:["dblclickdragstart","dblclickdragmove","dblclickdragend","dblclickdragcancel"],KEYBOARD:["keydown"]},Us={},zs=class{constructor(e){this.state={},this._events={},this._interactionState={isDragging:!1},this._customEvents=[],this._eventStartBlocked=null,this._panMove=!1,this._multiPanMode=null,this._multiPanStartCenter=null,this._doubleClickDragAnchor=null,this._suppressDoubleClickUntil=0,this.invertPan=!1,this.dragMode="rotate",this.inertia=0,this.scrollZoom=!0,this.dragPan=!0,this.dragRotate=!0,this.doubleClickZoom=!0,this.doubleClickDragZoom=!0,this.touchZoom=!0,this.touchRotate=!1,this.multiTouchDrag=null,this.trackpadGesture=!1,this.zoomAround="pointer",this.keyboard=!0,this.transitionManager=new gl({...e,getControllerState:(t,n)=>new this.ControllerState({...t,constraintContext:n,makeViewport:e.makeViewport}),onViewStateChange:this._onTransition.bind(this),onStateChange:this._setInteractionState.bind(this)}),this.handleEvent=this.handleEvent.bind(this),this.eventManager=e.eventManager,this.onViewStateChange=e.onViewStateChange||(()=>{}),this.onStateChange=e.onStateChange||(()=>{}),this.makeViewport=e.makeViewport,this.pickPosition=e.pickPosition}set events(e){this.toggleEvents(this._customEvents,!1),this.toggleEvents(e,!0),this._customEvents=e,this.props&&this.setProps(this.props)}finalize(){for(let e in this._events)this._events[e]&&this.eventManager?.off(e,this.handleEvent);this.transitionManager.finalize()}handleEvent(e){this._controllerState=void 0;let t=this._eventStartBlocked;switch(e.type){case"panstart":return t?!1:this._onPanStart(e);case"panmove":return this._onPan(e);case"panend":return this._onPanEnd(e);case"pinchstart":return t||!this._isTrackpadGestureAllowed(e)?!1:this._onPinchStart(e);case"pinchmove":return this._isTrackpadGestureAllowed(e)?this._onPinch(e):!1;case"pinchend":return this._isTrackpadGestureAllowed(e)?this._onPinchEnd(e):!1;case"multipanstart":return t?!1:this._onMultiPanStart(e);case"multipanmove":return this._onMultiPan(e);case"multipanend":return this._onMultiPanEnd(e);case"dblclick":return this._onDoubleClick(e);case"dblclickdragstart":return t?!1:this._onDoubleClickDragStart(e);case"dblclickdragmove":return this._onDoubleClickDrag(e);case"dblclickdragend":case"dblclickdragcancel":return this._onDoubleClickDragEnd(e);case"wheel":return this._onWheel(e);case"keydown":return this._onKeyDown(e);default:return!1}}get controllerState(){return this._controllerState=this._controllerState||new this.ControllerState({makeViewport:this.makeViewport,...this.props,...this.state}),this._controllerState}getCenter(e){let{x:t,y:n}=this.props,{offsetCenter:i}=e;return[i.x-t,i.y-n]}getZoomPosition(e){if(this.zoomAround==="pointer")return e;let t=this.makeViewport(this.controllerState.getViewportProps()),[n,i]=Ci(t.center,t.pixelProjectionMatrix);return[n,i]}isPointInBounds(e,t){let{width:n,height:i}=this.props;if(t&&t.handled)return!1;let s=e[0]>=0&&e[0]<=n&&e[1]>=0&&e[1]<=i;return s&&t&&t.stopPropagation(),s}isFunctionKeyPressed(e){let{srcEvent:t}=e;return!!(t.metaKey||t.altKey||t.ctrlKey||t.shiftKey)}isDragging(){return this._interactionState.isDragging||!1}blockEvents(e){let t=setTimeout(()=>{this._eventStartBlocked===t&&(this._eventStartBlocked=null)},e);this._eventStartBlocked=t}setProps(e){e.maxBoundsPadding===void 0&&(e.maxBoundsPadding=null),e.dragMode&&(this.dragMode=e.dragMode);let t=this.props;this.props=e,"transitionInterpolator"in e||(e.transitionInterpolator=this._getTransitionProps().transitionInterpolator),this.transitionManager.processViewStateChange(e);let{inertia:n}=e;this.inertia=Number.isFinite(n)?n:n===!0?_U:0;let{scrollZoom:i=!0,dragPan:s=!0,dragRotate:o=!0,doubleClickZoom:a=!0,doubleClickDragZoom:c=!1,touchZoom:l=!0,touchRotate:u=!1,multiTouchDrag:f=u?"rotate":null,trackpadGesture:d=!1,zoomAround:h="pointer",keyboard:p=!0}=e,m=!!this.onViewStateChange;if(this.toggleEvents(Fs.WHEEL,m&&i),this.toggleEvents(Fs.PAN,m),this.toggleEvents(Fs.PINCH,m&&(l||f==="rotate")),this.toggleEvents(Fs.MULTI_PAN,m&&!!f),this.toggleEvents(Fs.DOUBLE_CLICK,m&&a),this.toggleEvents(Fs.DOUBLE_CLICK_DRAG,m&&c),this.toggleEvents(Fs.KEYBOARD,m&&p),this.scrollZoom=i,this.dragPan=s,this.dragRotate=o,this.doubleClickZoom=a,this.doubleClickDragZoom=c,this.touchZoom=l,this.touchRotate=f==="rotate",this.multiTouchDrag=f,this.trackpadGesture=d,this.zoomAround=h,this.keyboard=p,(!t||t.height!==e.height||t.width!==e.width||t.maxBounds!==e.maxBounds||t.maxBoundsPadding!==e.maxBoundsPadding)&&e.maxBounds){let w=new this.ControllerState({...e,makeViewport:this.makeViewport}),_=w.getViewportProps();Object.keys(_).some(E=>!Ve(_[E],e[E],1))&&this.updateViewport(w)}}updateTransition(){this.transitionManager.updateTransition()}toggleEvents(e,t){this.eventManager&&e.forEach(n=>{this._events[n]!==t&&(this._events[n]=t,t?this.eventManager.on(n,this.handleEvent):this.eventManager.off(n,this.handleEvent))})}updateViewport(e,t=null,n={}){let i={...e.getViewportProps(),...t},s=this.controllerState!==e;if(this.state=e.getState(),this._setInteractionState(n),s){let o=this.controllerState&&this.controllerState.getViewportProps();this.onViewStateChange&&this.onViewStateChange({viewState:i,interactionState:this._interactionState,oldViewState:o,viewId:this.props.id})}}_onTransition(e){this.onViewStateChange({...e,interactionState:this._interactionState,viewId:this.props.id})}_setInteractionState(e){Object.assign(this._interactionState,e),this.onStateChange(this._interactionState)}_getConstraintContext(e,t){return this.props.rubberBand?{mode:t==="update"?"elastic":t==="end"?"rebound":"hard"}:{mode:"hard"}}_getReboundTransition(e,t){if(e.mode!=="rebound")return null;let n=t.getViewportProps();return Object.keys(n).some(s=>!Ve(this.props[s],n[s],1))?{...this._getTransitionProps(),transitionDuration:xU,transitionEasing:wU}:null}_onPanStart(e){let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let n=this.isFunctionKeyPressed(e)||e.rightButton||!1;(this.invertPan||this.dragMode==="pan")&&(n=!n);let i=n?"pan":"rotate",s=this._getConstraintContext(i,"start"),o=n?this.controllerState.panStart({pos:t},s):this.controllerState.rotateStart({pos:t},s);return this._panMove=n,this.updateViewport(o,Cn,{isDragging:!0}),!0}_onPan(e){return this.isDragging()?this._panMove?this._onPanMove(e):this._onPanRotate(e):!1}_onPanEnd(e){return this.isDragging()?this._panMove?this._onPanMoveEnd(e):this._onPanRotateEnd(e):!1}_onPanMove(e){if(!this.dragPan)return!1;let t=this.getCenter(e),n=this.controllerState.pan({pos:t},this._getConstraintContext("pan","update"));return this.updateViewport(n,Cn,{isDragging:!0,isPanning:!0}),!0}_onPanMoveEnd(e){let{inertia:t}=this;if(this.dragPan&&t&&e.velocity){let n=this.getCenter(e),i=[n[0]+e.velocityX*t/2,n[1]+e.velocityY*t/2],s=this.controllerState.pan({pos:i}).panEnd();this.updateViewport(s,{...this._getTransitionProps(),transitionDuration:t,transitionEasing:yy},{isDragging:!1,isPanning:!0})}else{let n=this.controllerState,i=this._getConstraintContext("pan","end"),s=n.panEnd(i),o=this._getReboundTransition(i,s);this.updateViewport(s,o,{isDragging:!1,isPanning:!!o})}return!0}_onPanRotate(e){if(!this.dragRotate)return!1;let t=this.getCenter(e),n=this.controllerState.rotate({pos:t},this._getConstraintContext("rotate","update"));return this.updateViewport(n,Cn,{isDragging:!0,isRotating:!0}),!0}_onPanRotateEnd(e){let{inertia:t}=this;if(this.dragRotate&&t&&e.velocity){let n=this.getCenter(e),i=[n[0]+e.velocityX*t/2,n[1]+e.velocityY*t/2],s=this.controllerState.rotate({pos:i}).rotateEnd();this.updateViewport(s,{...this._getTransitionProps(),transitionDuration:t,transitionEasing:yy},{isDragging:!1,isRotating:!0})}else{let n=this.controllerState,i=this._getConstraintContext("rotate","end"),s=n.rotateEnd(i),o=this._getReboundTransition(i,s);this.updateViewport(s,o,{isDragging:!1,isRotating:!!o})}return!0}_onWheel(e){if(!this.scrollZoom||this.trackpadGesture&&e.device!=="mouse")return!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;e.srcEvent.preventDefault();let{speed:n=.01,smooth:i=!1}=this.scrollZoom===!0?{}:this.scrollZoom,{delta:s}=e,o=2/(1+Math.exp(-Math.abs(s*n)));s<0&&o!==0&&(o=1/o);let a=this.getZoomPosition(t),c=i?{...this._getTransitionProps({around:a}),transitionDuration:250}:Cn,l=this.controllerState.zoom({pos:a,scale:o});return this.updateViewport(l,c,{isZooming:!0,isPanning:!0}),i||this._setInteractionState({isZooming:!1,isPanning:!1}),!0}_onMultiPanStart(e){let{multiTouchDrag:t}=this;if(!t||!this._isMultiPanEventAllowed(e,t))return!1;let n=e.offsetCenter;if(!this.isPointInBounds(this.getCenter(e),e))return!1;let i=e.pointerType==="trackpad",s={x:n.x-(i?0:e.deltaX),y:n.y-(i?0:e.deltaY)},o={...e,offsetCenter:s},a=this.getCenter(o),c=t==="pan"?this.controllerState.panStart({pos:a},this._getConstraintContext("pan","start")):this.controllerState.rotateStart({pos:a},this._getConstraintContext("rotate","start"));return this._multiPanMode=t,this._multiPanStartCenter=s,this.updateViewport(c,Cn,{isDragging:!0}),!0}_onMultiPan(e){let{mode:t,event:n}=this._getMultiPanEvent(e);return!t||!n||!this.isDragging()?!1:t==="pan"?this._onPanMove(n):this._onPanRotate(n)}_onMultiPanEnd(e){let{mode:t,event:n}=this._getMultiPanEvent(e);if(!t||!n||!this.isDragging())return this._resetMultiPan(),!1;let i=t==="pan"?this._onPanMoveEnd(n):this._onPanRotateEnd(n);return this._resetMultiPan(),i}_isTrackpadGestureAllowed(e){return e.pointerType!=="trackpad"||this.trackpadGesture}_isMultiPanEventAllowed(e,t){return e.pointerType==="trackpad"?this.trackpadGesture&&(t==="pan"?this.dragPan:this.dragRotate):e.pointerType==="touch"&&(t==="pan"?this.dragPan:this.dragRotate)}_getMultiPanEvent(e){let t=this._multiPanMode,n=this._multiPanStartCenter;return!t||!n?{mode:null,event:null}:{mode:t,event:{...e,offsetCenter:{x:n.x+e.deltaX,y:n.y+e.deltaY}}}}_resetMultiPan(){this._multiPanMode=null,this._multiPanStartCenter=null}_onPinchStart(e){this._doubleClickDragAnchor=null;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let n=this.controllerState.zoomStart({pos:this.getZoomPosition(t)},this._getConstraintContext("zoom","start")).rotateStart({pos:t},this._getConstraintContext("rotate","start"));return Us._startPinchRotation=e.rotation,Us._lastPinchEvent=e,this.updateViewport(n,Cn,{isDragging:!0}),!0}_onPinch(e){if(!this.touchZoom&&!this.touchRotate||!this.isDragging())return!1;let t=this.controllerState;if(this.touchZoom){let{scale:n}=e,i=this.getCenter(e);t=t.zoom({pos:this.getZoomPosition(i),scale:n},this._getConstraintContext("zoom","update"))}if(this.touchRotate){let{rotation:n}=e;t=t.rotate({deltaAngleX:Us._startPinchRotation-n},this._getConstraintContext("rotate","update"))}return this.updateViewport(t,Cn,{isDragging:!0,isPanning:this.touchZoom,isZooming:this.touchZoom,isRotating:this.touchRotate}),Us._lastPinchEvent=e,!0}_onPinchEnd(e){if(!this.isDragging())return!1;let{inertia:t}=this,{_lastPinchEvent:n}=Us;if(this.touchZoom&&t&&n&&e.scale!==n.scale){let i=this.getCenter(e),s=this.getZoomPosition(i),o=this.controllerState.rotateEnd(),a=Math.log2(e.scale),c=(a-Math.log2(n.scale))/(e.deltaTime-n.deltaTime),l=Math.pow(2,a+c*t/2);o=o.zoom({pos:s,scale:l}).zoomEnd(),this.updateViewport(o,{...this._getTransitionProps({around:s}),transitionDuration:t,transitionEasing:yy},{isDragging:!1,isPanning:this.touchZoom,isZooming:this.touchZoom,isRotating:!1}),this.blockEvents(t)}else{let i=this.controllerState,s=this._getConstraintContext("zoom","end"),o=this._getConstraintContext("rotate","end"),a=i.zoomEnd(s).rotateEnd(o),c=this._getReboundTransition(this.touchZoom?s:o,a);this.updateViewport(a,c,{isDragging:!1,isPanning:!!c&&this.touchZoom,isZooming:!!c&&this.touchZoom,isRotating:!!c&&this.touchRotate})}return Us._startPinchRotation=null,Us._lastPinchEvent=null,!0}_onDoubleClick(e){if(!this.doubleClickZoom||Date.now()<this._suppressDoubleClickUntil)return!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let n=this.isFunctionKeyPressed(e),i=this.getZoomPosition(t),s=this.controllerState.zoom({pos:i,scale:n?.5:2});return this.updateViewport(s,this._getTransitionProps({around:i}),{isZooming:!0,isPanning:!0}),this.blockEvents(100),!0}_onDoubleClickDragStart(e){if(!this.doubleClickDragZoom)return this._doubleClickDragAnchor=null,!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return this._doubleClickDragAnchor=null,!1;this._doubleClickDragAnchor=this.getZoomPosition(t);let n=this.controllerState.zoomStart({pos:this._doubleClickDragAnchor},this._getConstraintContext("zoom","start"));return e.scale!==1&&(n=n.zoom({pos:this._doubleClickDragAnchor,scale:e.scale},this._getConstraintContext("zoom","update"))),this.updateViewport(n,Cn,{isDragging:!0,isPanning:!0,isZooming:!0}),!0}_onDoubleClickDrag(e){let t=this._doubleClickDragAnchor;if(!t)return!1;let n=this.controllerState.zoom({pos:t,scale:e.scale},this._getConstraintContext("zoom","update"));return this.updateViewport(n,Cn,{isDragging:!0,isPanning:!0,isZooming:!0}),!0}_onDoubleClickDragEnd(e){if(!this._doubleClickDragAnchor)return!1;this._doubleClickDragAnchor=null;let n=this.controllerState,i=this._getConstraintContext("zoom","end"),s=n.zoomEnd(i),o=this._getReboundTransition(i,s);return this.updateViewport(s,o,{isDragging:!1,isPanning:!!o,isZooming:!!o}),this._suppressDoubleClickUntil=Date.now()+100,this.blockEvents(100),!0}_onKeyDown(e){if(!this.keyboard)return!1;let t=this.isFunctionKeyPressed(e),{zoomSpeed:n,moveSpeed:i,rotateSpeedX:s,rotateSpeedY:o}=this.keyboard===!0?{}:this.keyboard,{controllerState:a}=this,c,l={};switch(e.srcEvent.code){case"Minus":c=t?a.zoomOut(n).zoomOut(n):a.zoomOut(n),l.isZooming=!0;break;case"Equal":c=t?a.zoomIn(n).zoomIn(n):a.zoomIn(n),l.isZooming=!0;break;case"ArrowLeft":t?(c=a.rotateLeft(s),l.isRotating=!0):(c=a.moveLeft(i),l.isPanning=!0);break;case"ArrowRight":t?(c=a.rotateRight(s),l.isRotating=!0):(c=a.moveRight(i),l.isPanning=!0);break;case"ArrowUp":t?(c=a.rotateUp(o),l.isRotating=!0):(c=a.moveUp(i),l.isPanning=!0);break;case"ArrowDown":t?(c=a.rotateDown(o),l.isRotating=!0):(c=a.moveDown(i),l.isPanning=!0);break;default:return!1}return this.updateViewport(c,this._getTransitionProps(),l),!0}_getTransitionProps(e){let{transition:t}=this;return!t||!t.transitionInterpolator?Cn:e?{...t,transitionInterpolator:new Jn({...e,...t.transitionInterpolator.opts,makeViewport:this.controllerState.makeViewport})}:t}};var Br=Symbol("constraintAround"),Gs=class{constructor(e,t,n,i){this.makeViewport=n,this._viewportProps=this.applyConstraints(e,i),this._state=t}getViewportProps(){return this._viewportProps}getState(){return this._state}};function ki(r,e,t){let n=r-e;return n&&Number.isFinite(n)?e+n*t/(t+Math.abs(n)):e}function ba(r,e,t){let n=Yt(Ht(t?.left??0),r),i=Yt(Ht(t?.right??0),r),s=Yt(Ht(t?.top??0),e),o=Yt(Ht(t?.bottom??0),e);return{x:n,y:s,width:r-n-i,height:e-s-o}}function Pd(r,e,t){let[n,i]=r.project(e);return n=Number.isFinite(n)?n:r.width/2,i=Number.isFinite(i)?i:r.height/2,{left:n-t.x,right:t.x+t.width-n,top:i-t.y,bottom:t.y+t.height-i}}var wT=5,vU=1.2,vT=512,ET=[[-1/0,-90],[1/0,90]],EU=1;function yl([r,e]){if(Math.abs(e)>90&&(e=Math.sign(e)*90),Number.isFinite(r)){let[n,i]=Ut([r,e]);return[n,Ue(i,0,vT)]}let[,t]=Ut([0,e]);return[r,Ue(t,0,vT)]}var _y=class extends Gs{constructor(e){let{width:t,height:n,latitude:i,longitude:s,zoom:o,bearing:a=0,pitch:c=0,altitude:l=1.5,position:u=[0,0,0],maxZoom:f=20,minZoom:d=0,maxPitch:h=60,minPitch:p=0,startPanLngLat:m,startZoomLngLat:b,startRotatePos:w,startRotateLngLat:_,startBearing:x,startPitch:E,startZoom:T,normalize:A=!0,rubberBand:I=!1}=e,{[Br]:D}=e;be(Number.isFinite(s)),be(Number.isFinite(i)),be(Number.isFinite(o));let N=e.maxBounds||(A?ET:null),M=e.maxBoundsPadding||null;super({width:t,height:n,latitude:i,longitude:s,zoom:o,bearing:a,pitch:c,altitude:l,maxZoom:f,minZoom:d,maxPitch:h,minPitch:p,normalize:A,position:u,maxBounds:N,maxBoundsPadding:M,rubberBand:I,[Br]:D},{startPanLngLat:m,startZoomLngLat:b,startRotatePos:w,startRotateLngLat:_,startBearing:x,startPitch:E,startZoom:T},e.makeViewport,e.constraintContext),this.getAltitude=e.getAltitude}panStart({pos:e},t){return this._getUpdatedState({startPanLngLat:this._unproject(e)},t)}pan({pos:e,startPos:t},n){let i=this.getState().startPanLngLat||this._unproject(t);if(!i)return this;let o=this.makeViewport(this.getViewportProps()).panByPosition(i,e);return this._getUpdatedState(o,n)}panEnd(e){return this._getUpdatedState({startPanLngLat:null},e)}rotateStart({pos:e}){let t=this.getAltitude?.(e);return this._getUpdatedState({startRotatePos:e,startRotateLngLat:t!==void 0?this._unproject3D(e,t):void 0,startBearing:this.getViewportProps().bearing,startPitch:this.getViewportProps().pitch})}rotate({pos:e,deltaAngleX:t=0,deltaAngleY:n=0}){let{startRotatePos:i,startRotateLngLat:s,startBearing:o,startPitch:a}=this.getState();if(!i||o===void 0||a===void 0)return this;let c;if(e?c=this._getNewRotation(e,i,a,o):c={bearing:o+t,pitch:a+n},s){let l=this.makeViewport({...this.getViewportProps(),...c}),u="panByPosition3D"in l?"panByPosition3D":"panByPosition";return this._getUpdatedState({...c,...l[u](s,i)})}return this._getUpdatedState(c)}rotateEnd(){return this._getUpdatedState({startRotatePos:null,startRotateLngLat:null,startBearing:null,startPitch:null})}zoomStart({pos:e},t){return this._getUpdatedState({startZoomLngLat:this._unproject(e),startZoom:this.getViewportProps().zoom},t)}zoom({pos:e,startPos:t,scale:n},i){let{startZoom:s,startZoomLngLat:o}=this.getState();return o||(s=this.getViewportProps().zoom,o=this._unproject(t)||this._unproject(e)),o?this._getUpdatedState({zoom:s+Math.log2(n),[Br]:{position:o,screenPosition:e}},i):this}zoomEnd(e){return this._getUpdatedState({startZoomLngLat:null,startZoom:null},e)}zoomIn(e=2,t){return this._zoomFromCenter(e,t)}zoomOut(e=2,t){return this._zoomFromCenter(1/e,t)}moveLeft(e=100,t){return this._panFromCenter([e,0],t)}moveRight(e=100,t){return this._panFromCenter([-e,0],t)}moveUp(e=100,t){return this._panFromCenter([0,e],t)}moveDown(e=100,t){return this._panFromCenter([0,-e],t)}rotateLeft(e=15){return this._getUpdatedState({bearing:this.getViewportProps().bearing-e})}rotateRight(e=15){return this._getUpdatedState({bearing:this.getViewportProps().bearing+e})}rotateUp(e=10){return this._getUpdatedState({pitch:this.getViewportProps().pitch+e})}rotateDown(e=10){return this._getUpdatedState({pitch:this.getViewportProps().pitch-e})}shortestPathFrom(e){let t=e.getViewportProps(),n={...this.getViewportProps()},{bearing:i,longitude:s}=n;return Math.abs(i-t.bearing)>180&&(n.bearing=i<0?i+360:i-360),Math.abs(s-t.longitude)>180&&(n.longitude=s<0?s+360:s-360),n}applyConstraints(e,t){let n=e,i=n[Br];delete n[Br];let{maxPitch:s,minPitch:o,pitch:a,bearing:c,normalize:l,maxBounds:u,rubberBand:f}=e;l&&(c<-180||c>180)&&(e.bearing=ty(c+180,360)-180),e.pitch=Ue(a,o,s);let d=this._constrainZoom(e.zoom,e),h=f&&t?.mode==="elastic";if(e.zoom=t?.mode==="preserve"?e.zoom:h?ki(e.zoom,d,EU):d,i){let p=this.makeViewport(e);Object.assign(e,p.panByPosition(i.position,i.screenPosition))}if(l&&(e.longitude<-180||e.longitude>180)&&(e.longitude=ty(e.longitude+180,360)-180),u){let p=ba(e.width,e.height,e.maxBoundsPadding),m=this.makeViewport({...e,bearing:0,pitch:0}),b=Pd(m,[e.longitude,e.latitude],p),w=yl(u[0]),_=yl(u[1]),x=2**e.zoom,E=[w[0]+b.left/x,w[1]+b.bottom/x],T=[_[0]-b.right/x,_[1]-b.top/x],A=yl([e.longitude,e.latitude]),I=[Ue(A[0],E[0],T[0]),Ue(A[1],E[1],T[1])],D=A.slice();if(p.width>=0&&(D[0]=t?.mode==="preserve"?A[0]:h?ki(A[0],I[0],p.width/2/x):I[0]),p.height>=0&&(D[1]=t?.mode==="preserve"?A[1]:h?ki(A[1],I[1],p.height/2/x):I[1]),D[0]!==A[0]||D[1]!==A[1]){let[N,M]=fr(D);D[0]!==A[0]&&(e.longitude=N),D[1]!==A[1]&&(e.latitude=M)}}return e}_constrainZoom(e,t){t||(t=this.getViewportProps());let{maxZoom:n,maxBounds:i}=t,s=i!==null&&t.width>0&&t.height>0,{minZoom:o}=t;if(s){let a=ba(t.width,t.height,t.maxBoundsPadding),c=yl(i[0]),l=yl(i[1]),u=l[0]-c[0],f=l[1]-c[1];a.width>0&&Number.isFinite(u)&&u>0&&(o=Math.max(o,Math.log2(a.width/u))),a.height>0&&Number.isFinite(f)&&f>0&&(o=Math.max(o,Math.log2(a.height/f))),o>n&&(o=n)}return Ue(e,o,n)}_zoomFromCenter(e,t){let{width:n,height:i}=this.getViewportProps();return this.zoom({pos:[n/2,i/2],scale:e},t)}_panFromCenter(e,t){let{width:n,height:i}=this.getViewportProps();return this.pan({startPos:[n/2,i/2],pos:[n/2+e[0],i/2+e[1]]},t)}_getUpdatedState(e,t){return new this.constructor({makeViewport:this.makeViewport,...this.getViewportProps(),...this.getState(),...e,constraintContext:t})}_unproject(e){let t=this.makeViewport(this.getViewportProps());return e&&t.unproject(e)}_unproject3D(e,t){return this.makeViewport(this.getViewportProps()).unproject(e,{targetZ:t})}_getNewRotation(e,t,n,i){let s=e[0]-t[0],o=e[1]-t[1],a=e[1],c=t[1],{width:l,height:u}=this.getViewportProps(),f=s/l,d=0;o>0?Math.abs(u-c)>wT&&(d=o/(c-u)*vU):o<0&&c>wT&&(d=1-a/c),d=Ue(d,-1,1);let{minPitch:h,maxPitch:p}=this.getViewportProps(),m=i+180*f,b=n;return d>0?b=n+d*(p-n):d<0&&(b=n-d*(h-n)),{pitch:b,bearing:m}}},_l=class extends zs{constructor(){super(...arguments),this.ControllerState=_y,this.transition={transitionDuration:300,transitionInterpolator:new Jn({transitionProps:{compare:["longitude","latitude","zoom","bearing","pitch","position"],required:["longitude","latitude","zoom"]}})},this.dragMode="pan",this.rotationPivot="center",this._getAltitude=e=>{if(this.rotationPivot==="2d")return 0;if(this.rotationPivot==="3d"&&this.pickPosition){let{x:t,y:n}=this.props,i=this.pickPosition(t+e[0],n+e[1]);if(i&&i.coordinate&&i.coordinate.length>=3)return i.coordinate[2]}}}setProps(e){"rotationPivot"in e&&(this.rotationPivot=e.rotationPivot||"center"),e.getAltitude=this._getAltitude,e.position=e.position||[0,0,0],e.maxBounds=e.maxBounds||(e.normalize===!1?null:ET),super.setProps(e)}updateViewport(e,t=null,n={}){let i=e.getState();n.isDragging&&i.startRotateLngLat?n={...n,rotationPivotPosition:i.startRotateLngLat}:n.isDragging===!1&&(n={...n,rotationPivotPosition:void 0}),super.updateViewport(e,t,n)}};var Ad=class extends Ns{constructor(e={}){super(e)}getViewportType(){return _d}get ControllerType(){return _l}};Ad.displayName="MapView";var ST=Ad;var SU=new oa;function TU(r,e){let t=r.order??1/0,n=e.order??1/0;return t-n}var xl=class{constructor(e){this._resolvedEffects=[],this._defaultEffects=[],this.effects=[],this._context=e,this._needsRedraw="Initial render",this._setEffects([])}addDefaultEffect(e){let t=this._defaultEffects;if(!t.find(n=>n.id===e.id)){let n=t.findIndex(i=>TU(i,e)>0);n<0?t.push(e):t.splice(n,0,e),e.setup(this._context),this._setEffects(this.effects)}}setProps(e){"effects"in e&&(Ve(e.effects,this.effects,1)||this._setEffects(e.effects))}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}getEffects(){return this._resolvedEffects}_setEffects(e){let t={};for(let i of this.effects)t[i.id]=i;let n=[];for(let i of e){let s=t[i.id],o=i;s&&s!==i?s.setProps?(s.setProps(i.props),o=s):s.cleanup(this._context):s||i.setup(this._context),n.push(o),delete t[i.id]}for(let i in t)t[i].cleanup(this._context);this.effects=n,this._resolvedEffects=n.concat(this._defaultEffects),e.some(i=>i instanceof oa)||this._resolvedEffects.push(SU),this._needsRedraw="effects changed"}finalize(){for(let e of this._resolvedEffects)e.cleanup(this._context);this.effects.length=0,this._resolvedEffects.length=0,this._defaultEffects.length=0}};var wl=class extends Xn{shouldDrawLayer(e){let{operation:t}=e.props;return t.includes("draw")||t.includes("terrain")}render(e){return this._render(e)}};var PU="deckRenderer.renderLayers",vl=class{constructor(e,t={}){this.device=e,this.stats=t.stats,this.layerFilter=null,this.drawPickingColors=!1,this.drawLayersPass=new wl(e),this.pickLayersPass=new Ds(e),this.renderCount=0,this._needsRedraw="Initial render",this.renderBuffers=[],this.lastPostProcessEffect=null}setProps(e){this.layerFilter!==e.layerFilter&&(this.layerFilter=e.layerFilter,this._needsRedraw="layerFilter changed"),this.drawPickingColors!==e.drawPickingColors&&(this.drawPickingColors=e.drawPickingColors,this._needsRedraw="drawPickingColors changed")}renderLayers(e){let t=this.drawPickingColors?this.pickLayersPass:this.drawLayersPass,n={layerFilter:this.layerFilter,isPicking:this.drawPickingColors,...e};if(!e.viewports.length){let a=t.render(n),c="stats"in a?a.stats:a;this._updateStats(c);return}n.effects&&this._preRender(n.effects,n);let i=this.lastPostProcessEffect?this.renderBuffers[0]:n.target;this.lastPostProcessEffect&&(n.clearColor=[0,0,0,0],n.clearCanvas=!0);let s=t.render({...n,target:i}),o="stats"in s?s.stats:s;n.effects&&(this.lastPostProcessEffect&&(n.clearCanvas=e.clearCanvas===void 0?!0:e.clearCanvas),this._postRender(n.effects,n)),this.renderCount++,Ke(PU,this,o,e),this._updateStats(o)}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}finalize(){let{renderBuffers:e}=this;for(let t of e)t.delete();e.length=0}_updateStats(e){if(!this.stats)return;let t=0;for(let{visibleCount:n}of e)t+=n;this.stats.get("Layers rendered").addCount(t)}_preRender(e,t){this.lastPostProcessEffect=null,t.preRenderStats=t.preRenderStats||{};for(let n of e)t.preRenderStats[n.id]=n.preRender(t),n.postRender&&(this.lastPostProcessEffect=n.id);this.lastPostProcessEffect&&this._resizeRenderBuffers(t.canvasContext)}_resizeRenderBuffers(e=this.device.canvasContext){let{renderBuffers:t}=this,n=e.getDrawingBufferSize(),[i,s]=n;t.length===0&&[0,1].map(o=>{let a=this.device.createTexture({sampler:{minFilter:"linear",magFilter:"linear"},width:i,height:s});t.push(this.device.createFramebuffer({id:`deck-renderbuffer-${o}`,colorAttachments:[a]}))});for(let o of t)o.resize(n)}_postRender(e,t){let{renderBuffers:n}=this,i=t.target??t.canvasContext?.getCurrentFramebuffer()??t.target,s={...t,inputBuffer:n[0],swapBuffer:n[1]};for(let o of e)if(o.postRender){s.target=o.id===this.lastPostProcessEffect?i:void 0;let a=o.postRender(s);s.inputBuffer=a,s.swapBuffer=a===n[0]?n[1]:n[0]}}};J();var AU={pickedColor:null,pickedObjectIndex:-1};function xy({pickedColors:r,decodePickingColor:e,deviceX:t,deviceY:n,deviceRadius:i,deviceRect:s}){let{x:o,y:a,width:c,height:l}=s,u=i*i,f=-1,d=0;for(let h=0;h<l;h++){let p=h+a-n,m=p*p;if(m>u)d+=4*c;else for(let b=0;b<c;b++){if(r[d+3]-1>=0){let _=b+o-t,x=_*_+m;x<=u&&(u=x,f=d)}d+=4}}if(f>=0){let h=r.slice(f,f+4),p=e(h);if(p){let m=Math.floor(f/4/c),b=f/4-m*c;return{...p,pickedColor:h,pickedX:o+b,pickedY:a+m}}ie.error("Picked non-existent layer. Is picking buffer corrupt?")()}return AU}function wy({pickedColors:r,decodePickingColor:e}){let t=new Map;if(r){for(let n=0;n<r.length;n+=4)if(r[n+3]-1>=0){let s=r.slice(n,n+4),o=s.join(",");if(!t.has(o)){let a=e(s);a?t.set(o,{...a,color:s}):ie.error("Picked non-existent layer. Is picking buffer corrupt?")()}}}return Array.from(t.values())}function Ld({pickInfo:r,viewports:e,pixelRatio:t,x:n,y:i,z:s}){let o=e[0];e.length>1&&(o=LU(r?.pickedViewports||e,{x:n,y:i}));let a;if(o){let c=[n-o.x,i-o.y];s!==void 0&&(c[2]=s),a=o.unproject(c)}return{color:null,layer:null,viewport:o,index:-1,picked:!1,x:n,y:i,pixel:[n,i],coordinate:a,devicePixel:r&&"pickedX"in r?[r.pickedX,r.pickedY]:void 0,pixelRatio:t}}function vy(r){let{pickInfo:e,lastPickedInfo:t,mode:n,layers:i}=r,{pickedColor:s,pickedLayer:o,pickedObjectIndex:a}=e,c=o?[o]:[];if(n==="hover"){let f=t.index,d=t.layerId,h=o?o.props.id:null;if(h!==d||a!==f){if(h!==d){let p=i.find(m=>m.props.id===d);p&&c.unshift(p)}t.layerId=h,t.index=a,t.info=null}}let l=Ld(r),u=new Map;return u.set(null,l),c.forEach(f=>{let d={...l};f===o&&(d.color=s,d.index=a,d.picked=!0),d=Md({layer:f,info:d,mode:n});let h=d.layer;f===o&&n==="hover"&&(t.info=d),u.set(h.id,d),n==="hover"&&h.updateAutoHighlight(d)}),u}function Md({layer:r,info:e,mode:t}){for(;r&&e;){let n=e.layer||null;e.sourceLayer=n,e.layer=r,e=r.getPickingInfo({info:e,mode:t,sourceLayer:n}),r=r.parent}return e}function LU(r,e){for(let t=r.length-1;t>=0;t--){let n=r[t];if(n.containsPixel(e))return n}return r[0]}var El=class{constructor(e,t={}){this._pickable=!0,this.device=e,this.stats=t.stats,this.pickLayersPass=new Ds(e),this.lastPickedInfo={index:-1,layerId:null,info:null}}setProps(e){"layerFilter"in e&&(this.layerFilter=e.layerFilter),"_pickable"in e&&(this._pickable=e._pickable)}finalize(){this.pickingFBO&&this.pickingFBO.destroy(),this.depthFBO&&this.depthFBO.destroy()}pickObjectAsync(e){return this._pickClosestObjectAsync(e)}pickObjectsAsync(e){return this._pickVisibleObjectsAsync(e)}pickObject(e){return this._pickClosestObject(e)}pickObjects(e){return this._pickVisibleObjects(e)}getLastPickedObject({x:e,y:t,layers:n,viewports:i},s=this.lastPickedInfo.info){let o=s&&s.layer&&s.layer.id,a=s&&s.viewport&&s.viewport.id,c=o?n.find(d=>d.id===o):null,l=a&&i.find(d=>d.id===a)||i[0],u=l&&l.unproject([e-l.x,t-l.y]);return{...s,...{x:e,y:t,viewport:l,coordinate:u,layer:c}}}_resizeBuffer(e=this.device.getDefaultCanvasContext()){if(!this.pickingFBO){let i=this.device.createTexture({format:"rgba8unorm",width:1,height:1,usage:de.RENDER_ATTACHMENT|de.COPY_SRC});if(this.pickingFBO=this.device.createFramebuffer({colorAttachments:[i],depthStencilAttachment:"depth16unorm"}),this.device.isTextureFormatRenderable("rgba32float")){let s=this.device.createTexture({format:"rgba32float",width:1,height:1,usage:de.RENDER_ATTACHMENT|de.COPY_SRC}),o=this.device.createFramebuffer({colorAttachments:[s],depthStencilAttachment:"depth16unorm"});this.depthFBO=o}}let[t,n]=e.getDrawingBufferSize();this.pickingFBO?.resize({width:t,height:n}),this.depthFBO?.resize({width:t,height:n})}_getPickable(e){if(this._pickable===!1)return null;let t=e.filter(n=>this.pickLayersPass.shouldDrawLayer(n)&&!n.isComposite);return t.length?t:null}async _pickClosestObjectAsync({layers:e,views:t,viewports:n,x:i,y:s,radius:o=0,depth:a=1,mode:c="query",unproject3D:l,canvasContext:u=this.device.getDefaultCanvasContext(),onViewportActive:f,effects:d}){let h=u.cssToDeviceRatio(),p=this._getPickable(e);if(!p||n.length===0)return{result:[],emptyInfo:Ld({viewports:n,x:i,y:s,pixelRatio:h})};this._resizeBuffer(u);let m=u.cssToDevicePixels([i,s],!0),b=[m.x+Math.floor(m.width/2),m.y+Math.floor(m.height/2)],w=Math.round(o*h),{width:_,height:x}=this.pickingFBO,E=this._getPickingRect({deviceX:b[0],deviceY:b[1],deviceRadius:w,deviceWidth:_,deviceHeight:x}),T={x:i-o,y:s-o,width:o*2+1,height:o*2+1},A,I=[],D=new Set;for(let N=0;N<a;N++){let M;if(E){let O=await this._drawAndSampleAsync({layers:p,views:t,viewports:n,onViewportActive:f,deviceRect:E,cullRect:T,effects:d,pass:`picking:${c}`,canvasContext:u});M=xy({...O,deviceX:b[0],deviceY:b[1],deviceRadius:w,deviceRect:E})}else M={pickedColor:null,pickedObjectIndex:-1};let R,U=this._getDepthLayers(M,p,l);if(U.length>0){let{pickedColors:O}=await this._drawAndSampleAsync({layers:U,views:t,viewports:n,onViewportActive:f,deviceRect:{x:M.pickedX??b[0],y:M.pickedY??b[1],width:1,height:1},cullRect:T,effects:d,pass:`picking:${c}:z`,canvasContext:u},!0);O[3]&&(R=O[0])}M.pickedLayer&&N+1<a&&(D.add(M.pickedLayer),M.pickedLayer.disablePickingIndex(M.pickedObjectIndex)),A=vy({pickInfo:M,lastPickedInfo:this.lastPickedInfo,mode:c,layers:p,viewports:n,x:i,y:s,z:R,pixelRatio:h});for(let O of A.values())O.layer&&I.push(O);if(!M.pickedColor)break}for(let N of D)N.restorePickingColors();return{result:I,emptyInfo:A.get(null)}}_pickClosestObject({layers:e,views:t,viewports:n,x:i,y:s,radius:o=0,depth:a=1,mode:c="query",unproject3D:l,canvasContext:u=this.device.getDefaultCanvasContext(),onViewportActive:f,effects:d}){let h=u.cssToDeviceRatio(),p=this._getPickable(e);if(!p||n.length===0)return{result:[],emptyInfo:Ld({viewports:n,x:i,y:s,pixelRatio:h})};this._resizeBuffer(u);let m=u.cssToDevicePixels([i,s],!0),b=[m.x+Math.floor(m.width/2),m.y+Math.floor(m.height/2)],w=Math.round(o*h),{width:_,height:x}=this.pickingFBO,E=this._getPickingRect({deviceX:b[0],deviceY:b[1],deviceRadius:w,deviceWidth:_,deviceHeight:x}),T={x:i-o,y:s-o,width:o*2+1,height:o*2+1},A,I=[],D=new Set;for(let N=0;N<a;N++){let M;if(E){let O=this._drawAndSample({layers:p,views:t,viewports:n,onViewportActive:f,deviceRect:E,cullRect:T,effects:d,pass:`picking:${c}`,canvasContext:u});M=xy({...O,deviceX:b[0],deviceY:b[1],deviceRadius:w,deviceRect:E})}else M={pickedColor:null,pickedObjectIndex:-1};let R,U=this._getDepthLayers(M,p,l);if(U.length>0){let{pickedColors:O}=this._drawAndSample({layers:U,views:t,viewports:n,onViewportActive:f,deviceRect:{x:M.pickedX??b[0],y:M.pickedY??b[1],width:1,height:1},cullRect:T,effects:d,pass:`picking:${c}:z`,canvasContext:u},!0);O[3]&&(R=O[0])}M.pickedLayer&&N+1<a&&(D.add(M.pickedLayer),M.pickedLayer.disablePickingIndex(M.pickedObjectIndex)),A=vy({pickInfo:M,lastPickedInfo:this.lastPickedInfo,mode:c,layers:p,viewports:n,x:i,y:s,z:R,pixelRatio:h});for(let O of A.values())O.layer&&I.push(O);if(!M.pickedColor)break}for(let N of D)N.restorePickingColors();return{result:I,emptyInfo:A.get(null)}}async _pickVisibleObjectsAsync({layers:e,views:t,viewports:n,x:i,y:s,width:o=1,height:a=1,mode:c="query",maxObjects:l=null,canvasContext:u=this.device.getDefaultCanvasContext(),onViewportActive:f,effects:d}){let h=this._getPickable(e);if(!h||n.length===0)return[];this._resizeBuffer(u);let p=u.cssToDeviceRatio(),m=u.cssToDevicePixels([i,s],!0),b=m.x,w=m.y+m.height,_=u.cssToDevicePixels([i+o,s+a],!0),x=_.x+_.width,E=_.y,T={x:b,y:E,width:x-b,height:w-E},A=await this._drawAndSampleAsync({layers:h,views:t,viewports:n,onViewportActive:f,deviceRect:T,cullRect:{x:i,y:s,width:o,height:a},effects:d,pass:`picking:${c}`,canvasContext:u}),I=wy(A),D=new Map,N=[],M=Number.isFinite(l);for(let R=0;R<I.length&&!(M&&N.length>=l);R++){let U=I[R],O={color:U.pickedColor,layer:null,index:U.pickedObjectIndex,picked:!0,x:i,y:s,pixelRatio:p};O=Md({layer:U.pickedLayer,info:O,mode:c});let z=O.layer.id;D.has(z)||D.set(z,new Set);let W=D.get(z),Z=O.object??O.index;W.has(Z)||(W.add(Z),N.push(O))}return N}_pickVisibleObjects({layers:e,views:t,viewports:n,x:i,y:s,width:o=1,height:a=1,mode:c="query",maxObjects:l=null,canvasContext:u=this.device.getDefaultCanvasContext(),onViewportActive:f,effects:d}){let h=this._getPickable(e);if(!h||n.length===0)return[];this._resizeBuffer(u);let p=u.cssToDeviceRatio(),m=u.cssToDevicePixels([i,s],!0),b=m.x,w=m.y+m.height,_=u.cssToDevicePixels([i+o,s+a],!0),x=_.x+_.width,E=_.y,T={x:b,y:E,width:x-b,height:w-E},A=this._drawAndSample({layers:h,views:t,viewports:n,onViewportActive:f,deviceRect:T,cullRect:{x:i,y:s,width:o,height:a},effects:d,pass:`picking:${c}`,canvasContext:u}),I=wy(A),D=new Map,N=[],M=Number.isFinite(l);for(let R=0;R<I.length&&!(M&&N.length>=l);R++){let U=I[R],O={color:U.pickedColor,layer:null,index:U.pickedObjectIndex,picked:!0,x:i,y:s,pixelRatio:p};O=Md({layer:U.pickedLayer,info:O,mode:c});let z=O.layer.id;D.has(z)||D.set(z,new Set);let W=D.get(z),Z=O.object??O.index;W.has(Z)||(W.add(Z),N.push(O))}return N}async _drawAndSampleAsync({layers:e,views:t,viewports:n,onViewportActive:i,deviceRect:s,cullRect:o,effects:a,pass:c,canvasContext:l},u=!1){let f=u?this.depthFBO:this.pickingFBO,d={layers:e,layerFilter:this.layerFilter,views:t,viewports:n,onViewportActive:i,pickingFBO:f,deviceRect:s,cullRect:o,effects:a,pass:c,canvasContext:l,pickZ:u,preRenderStats:{},isPicking:!0};for(let T of a)T.useInPicking&&(d.preRenderStats[T.id]=T.preRender(d));let{decodePickingColor:h,stats:p}=this.pickLayersPass.render(d);this._updateStats(p);let{x:m,y:b,width:w,height:_}=s,x=f.colorAttachments[0]?.texture;if(!x)throw new Error("Picking framebuffer color attachment is missing");let E=await this._readTextureDataAsync(x,{x:m,y:b,width:w,height:_},u?Float32Array:Uint8Array);if(!u){let T=!1;for(let A=3;A<E.length;A+=4)if(E[A]!==0){T=!0;break}!T&&E.length>0&&ie.warn("Async pick readback returned only zero alpha values",{deviceRect:s,bytes:Array.from(E.subarray(0,Math.min(E.length,16)))})()}return{pickedColors:E,decodePickingColor:h}}async _readTextureDataAsync(e,t,n){let{width:i,height:s}=t,o=e.computeMemoryLayout(t),a=this.device.createBuffer({byteLength:o.byteLength,usage:re.COPY_DST|re.MAP_READ});try{e.readBuffer(t,a);let c=await a.readAsync(0,o.byteLength),l=n.BYTES_PER_ELEMENT;if(o.bytesPerRow%l!==0)throw new Error(`Texture readback row stride ${o.bytesPerRow} is not aligned to ${l}-byte elements.`);let u=new n(c.buffer,c.byteOffset,o.byteLength/l),f=i*4,d=o.bytesPerRow/l;if(d<f)throw new Error(`Texture readback row stride ${d} is smaller than packed row length ${f}.`);let h=new n(i*s*4);for(let p=0;p<s;p++){let m=p*d;h.set(u.subarray(m,m+f),p*f)}return h}finally{a.destroy()}}_drawAndSample({layers:e,views:t,viewports:n,onViewportActive:i,deviceRect:s,cullRect:o,effects:a,pass:c,canvasContext:l},u=!1){let f=u?this.depthFBO:this.pickingFBO,d={layers:e,layerFilter:this.layerFilter,views:t,viewports:n,onViewportActive:i,pickingFBO:f,deviceRect:s,cullRect:o,effects:a,pass:c,canvasContext:l,pickZ:u,preRenderStats:{},isPicking:!0};for(let E of a)E.useInPicking&&(d.preRenderStats[E.id]=E.preRender(d));let{decodePickingColor:h,stats:p}=this.pickLayersPass.render(d);this._updateStats(p);let{x:m,y:b,width:w,height:_}=s,x=new(u?Float32Array:Uint8Array)(w*_*4);return this.device.readPixelsToArrayWebGL(f,{sourceX:m,sourceY:b,sourceWidth:w,sourceHeight:_,target:x}),{pickedColors:x,decodePickingColor:h}}_updateStats(e){if(!this.stats)return;let t=0;for(let{visibleCount:n}of e)t+=n;this.stats.get("Layers picked").addCount(t)}_getDepthLayers(e,t,n){if(!n||!this.depthFBO)return[];let{pickedLayer:i}=e,s=i?.state?.terrainDrawMode==="drape";return i&&!s?[i]:t.filter(o=>o.props.operation.includes("terrain"))}_getPickingRect({deviceX:e,deviceY:t,deviceRadius:n,deviceWidth:i,deviceHeight:s}){let o=Math.max(0,e-n),a=Math.max(0,t-n),c=Math.min(i,e+n+1)-o,l=Math.min(s,t+n+1)-a;return c<=0||l<=0?null:{x:o,y:a,width:c,height:l}}};var MU={"top-left":{top:0,left:0},"top-right":{top:0,right:0},"bottom-left":{bottom:0,left:0},"bottom-right":{bottom:0,right:0},fill:{top:0,left:0,bottom:0,right:0}},CU="top-left",TT="root",Cd=class{constructor({deck:e,parentElement:t}){this.defaultWidgets=[],this.widgets=[],this.resolvedWidgets=[],this.containers={},this.lastViewports={},this.deck=e,t?.classList.add("deck-widget-container"),this.parentElement=t}getWidgets(){return this.resolvedWidgets}setProps(e){if(e.widgets&&!Ve(e.widgets,this.widgets,1)){let t=e.widgets.filter(Boolean);this._setWidgets(t)}}finalize(){for(let e of this.getWidgets())this._removeWidget(e);this.defaultWidgets.length=0,this.resolvedWidgets.length=0;for(let e in this.containers)this.containers[e].remove()}addDefault(e){this.defaultWidgets.find(t=>t.id===e.id)||(this._addWidget(e),this.defaultWidgets.push(e),this._setWidgets(this.widgets))}onRedraw({viewports:e,layers:t}){let n=e.reduce((i,s)=>(i[s.id]=s,i),{});for(let i of this.getWidgets()){let{viewId:s}=i;if(s){let o=n[s];o&&(i.onViewportChange&&i.onViewportChange(o),i.onRedraw?.({viewports:[o],layers:t}))}else{if(i.onViewportChange)for(let o of e)i.onViewportChange(o);i.onRedraw?.({viewports:e,layers:t})}}this.lastViewports=n,this._updateContainers()}onHover(e,t){for(let n of this.getWidgets()){let{viewId:i}=n;(!i||i===e.viewport?.id)&&n.onHover?.(e,t)}}getCanvasBounds(e){let n=this.deck?.getCanvas?.()?.getBoundingClientRect(),i=this.parentElement?.getBoundingClientRect(),s=this.deck?.getCanvasContext?.(e?.id);if(s&&i){s.updatePosition();let[o,a]=s.getPosition(),[c,l]=s.getCSSSize();return{x:o-i.left,y:a-i.top,width:c,height:l}}return{x:n&&i?n.left-i.left:0,y:n&&i?n.top-i.top:0,width:n?.width||this.deck?.width||0,height:n?.height||this.deck?.height||0}}onEvent(e,t){let n=ta[t.type];if(n)for(let i of this.getWidgets()){let{viewId:s}=i;(!s||s===e.viewport?.id)&&i[n]?.(e,t)}}_setWidgets(e){let t={};for(let n of this.resolvedWidgets)t[n.id]=n;this.resolvedWidgets.length=0;for(let n of this.defaultWidgets)t[n.id]=null,this.resolvedWidgets.push(n);for(let n of e){let i=t[n.id];i?i.viewId!==n.viewId||i.placement!==n.placement?(this._removeWidget(i),this._addWidget(n)):n!==i&&(i.setProps(n.props),n=i):this._addWidget(n),t[n.id]=null,this.resolvedWidgets.push(n)}for(let n in t){let i=t[n];i&&this._removeWidget(i)}this.widgets=e}_addWidget(e){let{viewId:t=null,placement:n=CU}=e,i=e.props._container??t;e.widgetManager=this,e.deck=this.deck,e.rootElement=e._onAdd({deck:this.deck,viewId:t}),e.rootElement&&this._getContainer(i,n).append(e.rootElement),e.updateHTML()}_removeWidget(e){e.onRemove?.(),e.rootElement&&e.rootElement.remove(),e.rootElement=void 0,e.deck=void 0,e.widgetManager=void 0}_getContainer(e,t){if(e&&typeof e!="string")return e;let n=e||TT,i=this.containers[n];i||(i=document.createElement("div"),i.style.pointerEvents="none",i.style.position="absolute",i.style.overflow="hidden",this.parentElement?.append(i),this.containers[n]=i);let s=i.querySelector(`.${t}`);return s||(s=globalThis.document.createElement("div"),s.className=t,s.style.position="absolute",s.style.zIndex="2",Object.assign(s.style,MU[t]),i.append(s)),s}_updateContainers(){for(let e in this.containers){let t=this.lastViewports[e]||null,n=e===TT||t,i=this.containers[e];if(n){let s=this._getContainerBounds(t);i.style.display="block",i.style.left=`${s.x}px`,i.style.top=`${s.y}px`,i.style.width=`${s.width}px`,i.style.height=`${s.height}px`}else i.style.display="none"}}_getContainerBounds(e){if(!e)return{x:0,y:0,width:this.parentElement?.clientWidth||this.deck.width,height:this.parentElement?.clientHeight||this.deck.height};let t=this.getCanvasBounds(e);return{x:t.x+e.x,y:t.y+e.y,width:e.width,height:e.height}}};function Ey(r,e){e&&Object.entries(e).map(([t,n])=>{t.startsWith("--")?r.style.setProperty(t,n):r.style[t]=n})}function PT(r,e){e&&Object.keys(e).map(t=>{t.startsWith("--")?r.style.removeProperty(t):r.style[t]=""})}var ya=class{constructor(e){this.viewId=null,this.props={...this.constructor.defaultProps,...e},this.id=this.props.id}setProps(e){let t=this.props,n=this.rootElement;n&&t.className!==e.className&&(t.className&&n.classList.remove(t.className),e.className&&n.classList.add(e.className)),n&&!Ve(t.style,e.style,1)&&(PT(n,t.style),Ey(n,e.style)),Object.assign(this.props,e),this.updateHTML()}updateHTML(){this.rootElement&&this.onRenderHTML(this.rootElement)}get viewIds(){return this.viewId?[this.viewId]:this.deck?.getViews().map(e=>e.id)??[]}getViewState(e){return this.deck?.viewManager?.getViewState(e)||{}}setViewState(e,t){this.deck?._onViewStateChange({viewId:e,viewState:t,interactionState:{}})}onCreateRootElement(){let e=["deck-widget",this.className,this.props.className],t=document.createElement("div");return e.filter(n=>typeof n=="string"&&n.length>0).forEach(n=>t.classList.add(n)),Ey(t,this.props.style),t}_onAdd(e){return this.onAdd(e)??this.onCreateRootElement()}onAdd(e){}onRemove(){}onViewportChange(e){}onRedraw(e){}onHover(e,t){}onClick(e,t){}onDrag(e,t){}onDragStart(e,t){}onDragEnd(e,t){}};ya.defaultProps={id:"widget",style:{},_container:null,className:""};var RU={zIndex:"1",position:"absolute",pointerEvents:"none",color:"#a0a7b4",backgroundColor:"#29323c",padding:"10px",top:"0",left:"0",display:"none"},Sl=class extends ya{constructor(e={}){super(e),this.id="default-tooltip",this.placement="fill",this.className="deck-tooltip",this.isVisible=!1,this.setProps(e)}onCreateRootElement(){let e=document.createElement("div");return e.className=this.className,Object.assign(e.style,RU),e}onRenderHTML(e){}onViewportChange(e){this.isVisible&&e.id===this.lastViewport?.id&&!e.equals(this.lastViewport)&&this.setTooltip(null),this.lastViewport=e}onHover(e){let{deck:t}=this,n=t&&t.props.getTooltip;if(!n)return;let i=n(e),s=this.widgetManager?.getCanvasBounds(e.viewport),o=e.x+(s?.x||0),a=e.y+(s?.y||0);this.setTooltip(i,o,a)}setTooltip(e,t,n){let i=this.rootElement;if(i){if(typeof e=="string")i.innerText=e;else if(e)e.text&&(i.innerText=e.text),e.html&&(i.innerHTML=e.html),e.className&&(i.className=e.className);else{this.isVisible=!1,i.style.display="none";return}this.isVisible=!0,i.style.display="block",i.style.transform=`translate(${t}px, ${n}px)`,e&&typeof e=="object"&&"style"in e&&Object.assign(i.style,e.style)}}};Sl.defaultProps={...ya.defaultProps};var Tl=class{constructor(e){this.targets={},this.order=[],this.eventManagers={},this._eventRootToCanvasId=new WeakMap,this._createEventManager=e.createEventManager,this._getEventRoot=e.getEventRoot}finalize(){for(let e of Object.values(this.targets))e.eventManager.destroy(),e.presentationContext.destroy();this.targets={},this.order=[],this.eventManagers={},this._eventRootToCanvasId=new WeakMap}syncCanvasEntries(e){let t=this._normalizeCanvasList(e.canvases),n={},i=[],s=new Map;for(let{canvas:a}of t){let c=this._getEventRoot(a);s.set(c,(s.get(c)||0)+1)}for(let{id:a,canvas:c}of t){let l=this._getEventRoot(c),u=s.get(l)===1?l:c,f=this.targets[a];if(!f||f.device!==e.device||f.canvas!==c||f.eventRoot!==u){f?.eventManager.destroy(),f?.presentationContext.destroy();let d=e.device.createPresentationContext({id:a,canvas:c,useDevicePixels:e.useDevicePixels,autoResize:!0});f={id:a,device:e.device,canvas:c,eventRoot:u,presentationContext:d,eventManager:this._createEventManager(u)}}this._eventRootToCanvasId.set(u,a),this._eventRootToCanvasId.set(c,a),n[a]=f,i.push(a)}for(let[a,c]of Object.entries(this.targets))n[a]||(c.eventManager.destroy(),c.presentationContext.destroy());this.targets=n,this.order=i;let o=Object.fromEntries(Object.entries(n).map(([a,c])=>[a,c.eventManager]));this._haveSameEventManagers(o)||(this.eventManagers=o)}getCanvasIdFromEvent(e){return e?this._eventRootToCanvasId.get(e):void 0}getTarget(e){return this.targets[e||this.order[0]||Bi]||null}_normalizeCanvasList(e=[]){let t=new Set;return e.map((n,i)=>{let s,o;return typeof n=="string"?(s=document.getElementById(n),be(s,`Canvas with id ${n} not found`),o=n):(s=n,o=s.id||`deckgl-canvas-${i}`),be(!t.has(o),`Duplicate canvas id ${o}`),t.add(o),{id:o,canvas:s}})}_haveSameEventManagers(e){let t=Object.keys(e),n=Object.keys(this.eventManagers);return t.length===n.length&&t.every(i=>e[i]===this.eventManagers[i])}};J();ch();He();He();rc();function ei(){}var $z=({isDragging:r})=>r?"grabbing":"grab",QP={id:"",width:"100%",height:"100%",style:null,viewState:null,initialViewState:null,pickingRadius:0,pickAsync:"auto",layerFilter:null,parameters:{},parent:null,device:null,deviceProps:{},gl:null,canvas:null,_canvases:null,layers:[],effects:[],views:null,controller:null,useDevicePixels:!0,touchAction:"none",eventRecognizerOptions:{},_framebuffer:null,_animate:!1,_pickable:!0,_typedArrayManagerProps:{},_customRender:null,widgets:[],onDeviceInitialized:ei,onWebGLInitialized:ei,onResize:ei,onViewStateChange:ei,onInteractionStateChange:ei,onBeforeRender:ei,onAfterRender:ei,onLoad:ei,onError:r=>ie.error(r.message,r.cause)(),onHover:null,onClick:null,onDragStart:null,onDrag:null,onDragEnd:null,_onMetrics:null,getCursor:$z,getTooltip:null,debug:!1,drawPickingColors:!1},Nl=class{constructor(e){this.width=0,this.height=0,this.userData={},this.device=null,this.canvas=null,this.viewManager=null,this.layerManager=null,this.effectManager=null,this.deckRenderer=null,this.deckPicker=null,this.eventManager=null,this.eventManagers={},this.widgetManager=null,this.tooltip=null,this.animationLoop=null,this._canvasContext=null,this._deviceResizeHandler=null,this.cursorState={isHovering:!1,isDragging:!1},this.stats=new Pr({id:"deck.gl"}),this.metrics={fps:0,setPropsTime:0,layersCount:0,drawLayersCount:0,updateLayersCount:0,updateAttributesCount:0,updateAttributesTime:0,framesRedrawn:0,pickTime:0,pickCount:0,pickLayersCount:0,gpuTime:0,gpuTimePerFrame:0,cpuTime:0,cpuTimePerFrame:0,bufferMemory:0,textureMemory:0,renderbufferMemory:0,gpuMemory:0},this._metricsCounter=0,this._hoverPickSequence=0,this._pointerDownPickSequence=0,this._needsRedraw="Initial render",this._canvasManager=new Tl({createEventManager:i=>this._createEventManager(i),getEventRoot:i=>this._getEventRoot(i)}),this._ownedCanvas=null,this._pickRequest={mode:"hover",x:-1,y:-1,radius:0,canvasId:void 0,event:null,unproject3D:!1},this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=null,this._onPointerMove=i=>{let{_pickRequest:s}=this,o=this._getCanvasIdFromEvent(i);if(i.type==="pointerleave")s.x=-1,s.y=-1,s.radius=0,s.canvasId=o;else{if(i.leftButton||i.rightButton)return;{let a=i.offsetCenter;if(!a)return;s.x=a.x,s.y=a.y,s.radius=this.props.pickingRadius,s.canvasId=o}}this.layerManager&&(this.layerManager.context.mousePosition={x:s.x,y:s.y}),s.event=i},this._onEvent=i=>{let s=ta[i.type],o=i.offsetCenter,a=this._getCanvasIdFromEvent(i);if(!s||!o||!this.layerManager)return;let c=this.layerManager.getLayers(),l=this._getInternalPickingMode();if(!l)return;if(l==="sync"){let f=i.type==="click"&&this._shouldUnproject3D(c)?this._getFirstPickedInfo(this._pickPointSync(this._getPointPickOptions(o.x,o.y,{unproject3D:!0,canvasId:a},c))):this._getLastPointerDownPickingInfo(o.x,o.y,a,c);this._dispatchPickingEvent(f,i);return}(this._lastPointerDownInfoPromise||Promise.resolve(this._getLastPointerDownPickingInfo(o.x,o.y,a,c))).then(f=>{this._dispatchPickingEvent(f,i)}).catch(f=>this.props.onError?.(f))},this._onPointerDown=i=>{let s=i.offsetCenter,o=this._getCanvasIdFromEvent(i);if(!s)return;let a=this._getInternalPickingMode();if(!a)return;let c=this.layerManager?.getLayers()||[],l=++this._pointerDownPickSequence;if(a==="sync"){let f=this._pickPointSync({x:s.x,y:s.y,canvasId:o,radius:this.props.pickingRadius}),d=this._getFirstPickedInfo(f);this._lastPointerDownInfo=d,this._lastPointerDownInfoPromise=Promise.resolve(d);return}let u=this._pickPointAsync(this._getPointPickOptions(s.x,s.y,{canvasId:o},c)).then(f=>this._getFirstPickedInfo(f)).then(f=>(l===this._pointerDownPickSequence&&(this._lastPointerDownInfo=f),f)).catch(f=>{this.props.onError?.(f);let d=this.deckPicker&&this.viewManager?this._getLastPointerDownPickingInfo(s.x,s.y,o,c):{};return l===this._pointerDownPickSequence&&(this._lastPointerDownInfo=d),d});this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=u};let t=e;this.props={...QP,...e},e=this.props,this._validateCanvasConfiguration(e),e.viewState&&e.initialViewState&&ie.warn("View state tracking is disabled. Use either `initialViewState` for auto update or `viewState` for manual update.")(),this.viewState=this.props.initialViewState,e.device&&(this.device=e.device,this._setDeviceCanvasContext(e.device));let n=this.device;!n&&e.gl&&(e.gl instanceof WebGLRenderingContext&&ie.error("WebGL1 context not supported.")(),n=Dl.attach(e.gl,{_cacheShaders:!0,_cachePipelines:!0,...this.props.deviceProps})),n||(n=this._createDevice(e)),this.animationLoop=this._createAnimationLoop(n,e),this.setProps(t),e._typedArrayManagerProps&&Zn.setOptions(e._typedArrayManagerProps),this.animationLoop.start()}finalize(){this._restoreDeviceResizeHandler(),this.animationLoop?.stop(),this.animationLoop?.destroy(),this.animationLoop=null,this._hoverPickSequence++,this._pointerDownPickSequence++,this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=null,this.layerManager?.finalize(),this.layerManager=null,this.viewManager?.finalize(),this.viewManager=null,this.effectManager?.finalize(),this.effectManager=null,this.deckRenderer?.finalize(),this.deckRenderer=null,this.deckPicker?.finalize(),this.deckPicker=null,Object.keys(this._canvasManager.targets).length||this.eventManager?.destroy(),this.eventManager=null,this.eventManagers={},this.widgetManager?.finalize(),this.widgetManager=null,this._canvasManager.finalize(),this._isMultiCanvasMode()?this.canvas=null:this.canvas&&this.canvas===this._ownedCanvas&&(this.canvas.parentElement?.removeChild(this.canvas),this.canvas=null,this._ownedCanvas=null),this._canvasContext=null}setProps(e){this.stats.get("setProps Time").timeStart(),"onLayerHover"in e&&ie.removed("onLayerHover","onHover")(),"onLayerClick"in e&&ie.removed("onLayerClick","onClick")(),e.initialViewState&&!Ve(this.props.initialViewState,e.initialViewState,3)&&(this.viewState=e.initialViewState),be(!("_canvases"in e)||Array.isArray(e._canvases)===this._isMultiCanvasMode()),Object.assign(this.props,e),this._validateCanvasConfiguration(this.props),this._validateInternalPickingMode(),this.device&&this._isMultiCanvasMode()&&this._syncCanvasTargets(),this._setCanvasSize(this.props);let t=Object.create(this.props);if(Object.assign(t,{views:this._getViews(),width:this.width,height:this.height,viewState:this._getViewState(),eventManagers:this.eventManagers}),e.device&&e.device.id!==this.device?.id){let n=e.device.getDefaultCanvasContext();this.animationLoop?.stop(),!this._isMultiCanvasMode()&&this.canvas!==n.canvas&&(this.canvas?.remove(),this.eventManager?.destroy(),this.canvas=null),this._setDeviceCanvasContext(e.device),ie.log(`recreating animation loop for new device! id=${e.device.id}`)(),this.animationLoop=this._createAnimationLoop(e.device,e),this.animationLoop.start()}if(this.animationLoop?.setProps(t),e.useDevicePixels!==void 0&&this._canvasContext?.setProps){this._canvasContext.setProps({useDevicePixels:e.useDevicePixels});for(let n of Object.values(this._canvasManager.targets))n.presentationContext.setProps({useDevicePixels:e.useDevicePixels})}this.layerManager&&(this.viewManager.setProps(t),this.layerManager.activateViewport(this.getViewports()[0]),this.layerManager.setProps(t),this.effectManager.setProps(t),this.deckRenderer.setProps(t),this.deckPicker.setProps(t),this.widgetManager.setProps(t)),this.stats.get("setProps Time").timeEnd()}needsRedraw(e={clearRedrawFlags:!1}){if(!this.layerManager)return!1;if(this.props._animate)return"Deck._animate";let t=this._needsRedraw;e.clearRedrawFlags&&(this._needsRedraw=!1);let n=this.viewManager.needsRedraw(e),i=this.layerManager.needsRedraw(e),s=this.effectManager.needsRedraw(e),o=this.deckRenderer.needsRedraw(e);return t=t||n||i||s||o,t}redraw(e){if(!this.layerManager)return;let t=this.needsRedraw({clearRedrawFlags:!0});t=e||t,t&&(this.stats.get("Redraw Count").incrementCount(),this.props._customRender?this.props._customRender(t):this._drawLayers(t))}get isInitialized(){return this.viewManager!==null}getViews(){return be(this.viewManager),this.viewManager.views}getView(e){return be(this.viewManager),this.viewManager.getView(e)}getViewports(e){return be(this.viewManager),this.viewManager.getViewports(e)}getCanvas(){return this.canvas}getCanvasContext(e){let t=e?this.viewManager?.getView(e)?.props.canvasId:void 0;return this._getCanvasContext(t)}getEventManager(e){if(!e||!this.viewManager)return this.eventManager;let t=this.viewManager.getCanvasId(e)||Bi;return this.eventManagers[t]||this.eventManager}async pickObjectAsync(e){let t=(await this._pickAsync("pickObjectAsync","pickObject Time",e)).result;return t.length?t[0]:null}async pickObjectsAsync(e){return await this._pickAsync("pickObjectsAsync","pickObjects Time",e)}pickObject(e){let t=this._pick("pickObject","pickObject Time",e).result;return t.length?t[0]:null}pickMultipleObjects(e){return e.depth=e.depth||10,this._pick("pickObject","pickMultipleObjects Time",e).result}pickObjects(e){return this._pick("pickObjects","pickObjects Time",e)}_pickPositionForController(e,t,n){return this._getInternalPickingMode()!=="sync"?null:this.pickObject({x:e,y:t,radius:0,unproject3D:!0,canvasId:n?this.viewManager?.getCanvasId(n):void 0})}_addResources(e,t=!1){for(let n in e)this.layerManager.resourceManager.add({resourceId:n,data:e[n],forceUpdate:t})}_removeResources(e){for(let t of e)this.layerManager.resourceManager.remove(t)}_addDefaultEffect(e){this.effectManager.addDefaultEffect(e)}_addDefaultShaderModule(e){this.layerManager.addDefaultShaderModule(e)}_removeDefaultShaderModule(e){this.layerManager?.removeDefaultShaderModule(e)}_resolveInternalPickingMode(){let{pickAsync:e}=this.props,t=this.device?.type||this.props.deviceProps?.type;if(e==="auto")return t==="webgpu"?"async":"sync";if(e==="sync"&&t==="webgpu")throw new Error('`pickAsync: "sync"` is not supported when Deck is using a WebGPU device.');return e}_getInternalPickingMode(){try{return this._resolveInternalPickingMode()}catch(e){return this.props.onError?.(e),null}}_validateInternalPickingMode(){this._getInternalPickingMode()}_getFirstPickedInfo({result:e,emptyInfo:t}){return e[0]||t}_shouldUnproject3D(e=this.layerManager?.getLayers()||[]){return e.some(t=>t.props.pickable==="3d")}_getPointPickOptions(e,t,n={},i=this.layerManager?.getLayers()||[]){return{x:e,y:t,canvasId:n.canvasId,radius:this.props.pickingRadius,unproject3D:this._shouldUnproject3D(i),...n}}_pickPointSync(e){return this._pick("pickObject","pickObject Time",e)}_pickPointAsync(e){return this._pickAsync("pickObjectAsync","pickObject Time",e)}_getLastPointerDownPickingInfo(e,t,n,i=this.layerManager?.getLayers()||[]){return this.deckPicker.getLastPickedObject({x:e,y:t,layers:i,viewports:this.getViewports({x:e,y:t,canvasId:n})},this._lastPointerDownInfo)}_applyHoverCallbacks({result:e,emptyInfo:t},n){if(!this.widgetManager)return;this.cursorState.isHovering=e.length>0;let i=t,s=!1;for(let o of e)i=o,s=o.layer?.onHover(o,n)||s;s||(this.props.onHover?.(i,n),this.widgetManager.onHover(i,n))}_dispatchPickingEvent(e,t){if(!this.layerManager||!this.widgetManager)return;let n=ta[t.type];if(!n)return;let{layer:i}=e,s=i&&(i[n]||i.props[n]),o=this.props[n],a=!1;s&&(a=s.call(i,e,t)),a||(o?.(e,t),this.widgetManager.onEvent(e,t))}_pickAsync(e,t,n){be(this.deckPicker);let{stats:i}=this,s=this._isMultiCanvasMode()?n.canvasId||this._getDefaultCanvasId():n.canvasId,o=this._getCanvasContext(s)||void 0;i.get("Pick Count").incrementCount(),i.get(t).timeStart(),this._resizeForCanvasTarget(s);let a=this.deckPicker[e]({layers:this.layerManager.getLayers(n),views:this.viewManager.getViews(),viewports:this.getViewports({...n,canvasId:s}),onViewportActive:this.layerManager.activateViewport,effects:this.effectManager.getEffects(),...n,canvasId:s,canvasContext:o});return i.get(t).timeEnd(),a}_pick(e,t,n){be(this.deckPicker);let{stats:i}=this,s=this._isMultiCanvasMode()?n.canvasId||this._getDefaultCanvasId():n.canvasId,o=this._getCanvasContext(s)||void 0;i.get("Pick Count").incrementCount(),i.get(t).timeStart(),this._resizeForCanvasTarget(s);let a=this.deckPicker[e]({layers:this.layerManager.getLayers(n),views:this.viewManager.getViews(),viewports:this.getViewports({...n,canvasId:s}),onViewportActive:this.layerManager.activateViewport,effects:this.effectManager.getEffects(),...n,canvasId:s,canvasContext:o});return i.get(t).timeEnd(),a}_createCanvas(e){let t=e.canvas;return typeof t=="string"&&(t=document.getElementById(t),be(t)),t?this._ownedCanvas=null:(t=document.createElement("canvas"),t.id=e.id||"deckgl-overlay",e.width&&typeof e.width=="number"&&(t.width=e.width),e.height&&typeof e.height=="number"&&(t.height=e.height),(e.parent||document.body).appendChild(t),this._ownedCanvas=t),Object.assign(t.style,e.style),t}_isMultiCanvasMode(){return Array.isArray(this.props._canvases)}_getDefaultCanvasId(){return this._canvasManager.order[0]||Bi}_validateCanvasConfiguration(e){Array.isArray(e._canvases)&&(be(!e.canvas),be(!e.gl),be(!e.device?.canvasContext||e.device.getDefaultCanvasContext().offscreenCanvas))}_createEventManager(e){let t=new Kc(e,{touchAction:this.props.touchAction,recognizers:Object.keys(Hb).map(n=>{let[i,s,o,a]=Hb[n],c=this.props.eventRecognizerOptions?.[n],l={...s,...c,event:n};return{recognizer:new i(l),recognizeWith:o,requireFailure:a}}),events:{pointerdown:this._onPointerDown,pointermove:this._onPointerMove,pointerleave:this._onPointerMove}});for(let n in ta)n==="dblclick"?t.watch(n,this._onEvent):t.on(n,this._onEvent);return t}_getEventRoot(e){return e.closest(".deck-events-root")||this.props.parent?.querySelector(".deck-events-root")||e}_syncCanvasTargets(){if(!this.device||!this._isMultiCanvasMode())return;this._canvasManager.syncCanvasEntries({device:this.device,canvases:this.props._canvases||[],useDevicePixels:this.props.useDevicePixels}),this.eventManagers=this._canvasManager.eventManagers;let e=this._getDefaultCanvasId();this.eventManager=this.eventManagers[e]||null,this.canvas=this._canvasManager.targets[e]?.canvas||null}_setCanvasContext(e){this._canvasContext=e,"style"in e.canvas&&(this.canvas=e.canvas)}_setDeviceCanvasContext(e,t={}){let n=e.getDefaultCanvasContext();this._setCanvasContext(n),this._setDeviceResizeHandler(e,t)}_setDeviceResizeHandler(e,t={}){let n=!!t.syncDrawingBuffer;if(this._deviceResizeHandler?.device===e){this._deviceResizeHandler.syncDrawingBuffer=n;return}this._restoreDeviceResizeHandler();let i=s=>{this._isMultiCanvasMode()?this._updateMultiCanvasDimensions():s===this._canvasContext&&this._canvasContext&&this._onCanvasContextResize(this._canvasContext,{syncDrawingBuffer:this._deviceResizeHandler?.syncDrawingBuffer})};e.props.onResize=i,this._deviceResizeHandler={device:e,onResize:i,syncDrawingBuffer:n}}_restoreDeviceResizeHandler(){let e=this._deviceResizeHandler;e&&e.device.props?.onResize===e.onResize&&(e.device.props.onResize=ei),this._deviceResizeHandler=null}_setCanvasSize(e){if(this._isMultiCanvasMode()||!this.canvas)return;let{width:t,height:n}=e;if(t||t===0){let i=Number.isFinite(t)?`${t}px`:t;this.canvas.style.width=i}if(n||n===0){let i=Number.isFinite(n)?`${n}px`:n;this.canvas.style.position=e.style?.position||"absolute",this.canvas.style.height=i}}_getCanvasIdFromEvent(e){return this._canvasManager.getCanvasIdFromEvent(e?.rootElement)}_getCanvasContext(e){return this._canvasManager.getTarget(e)?.presentationContext||this._canvasContext}_resizeForCanvasTarget(e){let t=this._canvasManager.getTarget(e);if(!t||!this.device?.canvasContext)return;let[n,i]=t.presentationContext.getDrawingBufferSize();this.device.canvasContext.setDrawingBufferSize(n,i)}_createDeviceCanvas(e){if(this._isMultiCanvasMode()){let t=globalThis.OffscreenCanvas;if(!t)throw new Error("`_canvases` requires OffscreenCanvas support.");let n=typeof e.width=="number"&&Number.isFinite(e.width)?e.width:1,i=typeof e.height=="number"&&Number.isFinite(e.height)?e.height:1;return new t(n,i)}return this._createCanvas(e)}_updateCanvasSize(e=this._canvasContext){if(this._isMultiCanvasMode()){this._updateMultiCanvasDimensions();return}let{canvas:t}=this,[n,i]=e?e.getCSSSize():[t?.clientWidth??t?.width??0,t?.clientHeight??t?.height??0];(n!==this.width||i!==this.height)&&(this.width=n,this.height=i,this.viewManager?.setProps({width:n,height:i}),this.layerManager?.activateViewport(this.getViewports()[0]),this.props.onResize({width:n,height:i},e||void 0))}_onCanvasContextResize(e,t={}){if(t.syncDrawingBuffer){let{width:n,height:i}=e.canvas;e.setDrawingBufferSize(n,i)}this._needsRedraw="Canvas resized",this._updateCanvasSize(e)}_updateMultiCanvasDimensions(){let[e,t]=this._getCanvasContext()?.getCSSSize()||[0,0];(e!==this.width||t!==this.height)&&(this.width=e,this.height=t,this.props.onResize({width:e,height:t})),this._needsRedraw="Canvas resized",this.viewManager?.setNeedsUpdate("Canvas resized"),this.viewManager?.setProps({width:this.width,height:this.height})}_createAnimationLoop(e,t){let{gl:n,onError:i}=t;return new cl({device:e,autoResizeDrawingBuffer:!n&&!Array.isArray(t._canvases),autoResizeViewport:!1,onInitialize:s=>this._setDevice(s.device),onRender:this._onRenderFrame.bind(this),onError:i})}_createDevice(e){let t=this.props.deviceProps?.createCanvasContext,n=typeof t=="object"?t:void 0,i={adapters:[],_cacheShaders:!0,_cachePipelines:!0,...e.deviceProps};i.adapters.includes(Dl)||i.adapters.push(Dl);let s={alphaMode:this.props.deviceProps?.type==="webgpu"?"premultiplied":void 0};return Fo.createDevice({_reuseDevices:!0,type:"webgl",...i,createCanvasContext:{...s,...n,canvas:this._createDeviceCanvas(e),useDevicePixels:this.props.useDevicePixels,autoResize:!0}})}_getViewState(){return this.props.viewState||this.viewState}_getViews(){let{views:e}=this.props,t=Array.isArray(e)?e:e?[e]:[new ST({id:"default-view"})];return t.length&&this.props.controller&&(t[0]=t[0].clone({controller:this.props.controller})),t}_onContextLost(){let{onError:e}=this.props;this.animationLoop&&e&&e(new Error("WebGL context is lost"))}_pickAndCallback(){let{_pickRequest:e}=this;if(e.event){let t=e.event,n=this.layerManager?.getLayers()||[],i=this._getPointPickOptions(e.x,e.y,{canvasId:e.canvasId,radius:e.radius,mode:e.mode},n),s=this._getInternalPickingMode(),o=++this._hoverPickSequence;if(e.event=null,e.canvasId=void 0,!s)return;if(s==="sync"){this._applyHoverCallbacks(this._pickPointSync(i),t);return}this._pickPointAsync(i).then(({result:a,emptyInfo:c})=>{o===this._hoverPickSequence&&this._applyHoverCallbacks({result:a,emptyInfo:c},t)}).catch(a=>this.props.onError?.(a))}}_updateCursor(){let e=this.props.getCursor(this.cursorState);if(this._isMultiCanvasMode()){for(let n of Object.values(this._canvasManager.targets))n.canvas.style.cursor=e;return}let t=this.props.parent||this.canvas;t&&(t.style.cursor=e)}_setDevice(e){if(this.device=e,this._validateInternalPickingMode(),!this.animationLoop)return;this._setDeviceCanvasContext(e,{syncDrawingBuffer:!!(this.props.gl&&this.props.device!==e)}),this._isMultiCanvasMode()?this._syncCanvasTargets():this.canvas&&!this.canvas.isConnected&&this.props.parent&&this.props.parent.insertBefore(this.canvas,this.props.parent.firstChild),this.device.type==="webgl"&&this.device.setParametersWebGL({blend:!0,blendFunc:[770,771,1,771],polygonOffsetFill:!0,depthTest:!0,depthFunc:515}),this.props.onDeviceInitialized(this.device),this.device.type==="webgl"&&this.props.onWebGLInitialized(this.device.gl);let t=new Os;if(t.play(),this.animationLoop.attachTimeline(t),!this._isMultiCanvasMode()){let s=this.canvas&&this._getEventRoot(this.canvas);be(s),this.eventManager=this._createEventManager(s),this.eventManagers={[Bi]:this.eventManager}}this.viewManager=new ml({timeline:t,eventManager:this.eventManager,eventManagers:this.eventManagers,getCanvasContext:this._isMultiCanvasMode()?this.getCanvasContext.bind(this):void 0,onViewStateChange:this._onViewStateChange.bind(this),onInteractionStateChange:this._onInteractionStateChange.bind(this),pickPosition:this._pickPositionForController.bind(this),views:this._getViews(),viewState:this._getViewState(),width:this.width,height:this.height});let n=this.viewManager.getViewports()[0];this.layerManager=new pl(this.device,{deck:this,stats:this.stats,viewport:n,timeline:t}),this.effectManager=new xl({deck:this,device:this.device}),this.deckRenderer=new vl(this.device,{stats:this.stats}),this.deckPicker=new El(this.device,{stats:this.stats});let i=this.props.parent?.querySelector(".deck-widgets-root")||(this._isMultiCanvasMode()?this.props.parent||this.canvas?.parentElement:null)||this.canvas?.parentElement;this.widgetManager=new Cd({deck:this,parentElement:i}),this.widgetManager.addDefault(new Sl),this.setProps({}),this._updateCanvasSize(this._canvasContext),this.props.onLoad()}_drawLayers(e,t){let{device:n,gl:i}=this.layerManager.context;this.props.onBeforeRender({device:n,gl:i});let s={target:this.props._framebuffer,layers:this.layerManager.getLayers(),viewports:this.viewManager.getViewports(),onViewportActive:this.layerManager.activateViewport,views:this.viewManager.getViews(),pass:"screen",effects:this.effectManager.getEffects(),...t};if(this._isMultiCanvasMode()&&s.pass==="screen"&&!s.target&&this._canvasManager.order.length)for(let o of this._canvasManager.order){let a=s.viewports.filter(u=>this.viewManager.getCanvasId(u.id)===o);if(!a.length){let u=this._canvasManager.targets[o];this._resizeForCanvasTarget(o),this.deckRenderer?.renderLayers({...s,canvasContext:u.presentationContext,target:u.presentationContext.getCurrentFramebuffer(),viewports:[],clearCanvas:!0}),u.presentationContext.present();continue}let c=this._canvasManager.targets[o];this._resizeForCanvasTarget(o);let l=c.presentationContext.getCurrentFramebuffer();this.deckRenderer?.renderLayers({...s,canvasContext:c.presentationContext,target:l,viewports:a}),c.presentationContext.present()}else this.deckRenderer?.renderLayers(s);s.pass==="screen"&&this.widgetManager.onRedraw({viewports:s.viewports,layers:s.layers}),this.props.onAfterRender({device:n,gl:i})}_onRenderFrame(){this._getFrameStats(),this._metricsCounter++%60===0&&(this._getMetrics(),this.stats.reset(),ie.table(4,this.metrics)(),this.props._onMetrics&&this.props._onMetrics(this.metrics)),this._updateCursor(),this.layerManager.updateLayers(),this._pickAndCallback(),this.redraw(),this.viewManager&&this.viewManager.updateViewStates()}_onViewStateChange(e){let t=this.props.onViewStateChange(e)||e.viewState;this.viewState&&(this.viewState={...this.viewState,[e.viewId]:t},this.props.viewState||this.viewManager&&this.viewManager.setProps({viewState:this.viewState}))}_onInteractionStateChange(e){this.cursorState.isDragging=e.isDragging||!1,this.props.onInteractionStateChange(e)}_getFrameStats(){let{stats:e}=this;e.get("frameRate").timeEnd(),e.get("frameRate").timeStart();let t=this.animationLoop.stats;e.get("GPU Time").addTime(t.get("GPU Time").lastTiming),e.get("CPU Time").addTime(t.get("CPU Time").lastTiming)}_getMetrics(){let{metrics:e,stats:t}=this;e.fps=t.get("frameRate").getHz(),e.setPropsTime=t.get("setProps Time").time,e.updateAttributesTime=t.get("Update Attributes").time,e.framesRedrawn=t.get("Redraw Count").count,e.pickTime=t.get("pickObject Time").time+t.get("pickMultipleObjects Time").time+t.get("pickObjects Time").time,e.pickCount=t.get("Pick Count").count,e.layersCount=this.layerManager?.layers.length??0,e.drawLayersCount=t.get("Layers rendered").lastSampleCount,e.pickLayersCount=t.get("Layers picked").lastSampleCount,e.updateLayersCount=t.get("Layer updates").count,e.updateAttributesCount=t.get("Attributes updated").count,e.gpuTime=t.get("GPU Time").time,e.cpuTime=t.get("CPU Time").time,e.gpuTimePerFrame=t.get("GPU Time").getAverageTime(),e.cpuTimePerFrame=t.get("CPU Time").getAverageTime();let n=Fo.stats.get("GPU Time and Memory");e.bufferMemory=n.get("Buffer Memory").count,e.textureMemory=n.get("Texture Memory").count,e.renderbufferMemory=n.get("Renderbuffer Memory").count,e.gpuMemory=n.get("GPU Memory").count}};Nl.defaultProps=QP;Nl.VERSION=xv;var Ky=Nl;J();J();function JP(r){switch(r){case"float64":return Float64Array;case"uint8":case"unorm8":return Uint8ClampedArray;default:return fs(r)}}var e3=yt.getDataType.bind(yt);function Fl(r,e,t){if(e.size>4)return null;let n=t==="webgpu"&&e.type==="uint8"?"unorm8":e.type,i=e.size,s=!!(t!=="webgpu"&&i===3&&n&&["uint8","sint8","unorm8","snorm8","uint16","sint16","unorm16","snorm16"].includes(n));return{attribute:r,format:i>1?`${n}x${i}${s?"-webgl":""}`:e.type,byteOffset:e.offset||0}}function kr(r){return r.stride||r.size*r.bytesPerElement}function t3(r,e){return r.type===e.type&&r.size===e.size&&kr(r)===kr(e)&&(r.offset||0)===(e.offset||0)}function Qy(r,e){e.offset&&ie.removed("shaderAttribute.offset","vertexOffset, elementOffset")();let t=kr(r),n=e.vertexOffset!==void 0?e.vertexOffset:r.vertexOffset||0,i=e.elementOffset||0,s=n*t+i*r.bytesPerElement+(r.offset||0);return{...e,offset:s,stride:t}}function Vz(r,e){let t=Qy(r,e);return{high:t,low:{...t,offset:t.offset+r.size*4}}}var Ul=class{constructor(e,t,n){this._buffer=null,this.device=e,this.id=t.id||"",this.size=t.size||1;let i=t.logicalType||t.type,s=i==="float64",{defaultValue:o}=t;o=Number.isFinite(o)?[o]:o||new Array(this.size).fill(0);let a;s?a="float32":!i&&t.isIndexed?a="uint32":a=i||"float32";let c=JP(i||a);this.doublePrecision=s,s&&t.fp64===!1&&(c=Float32Array),this.value=null,this.settings={...t,defaultType:c,defaultValue:o,logicalType:i,type:a,normalized:a.includes("norm"),size:this.size,bytesPerElement:c.BYTES_PER_ELEMENT},this.state={...n,externalBuffer:null,bufferAccessor:this.settings,allocatedValue:null,numInstances:0,bounds:null,constant:!1}}get isConstant(){return this.state.constant}get buffer(){return this._buffer}get byteOffset(){let e=this.getAccessor();return e.vertexOffset?e.vertexOffset*kr(e):0}get numInstances(){return this.state.numInstances}set numInstances(e){this.state.numInstances=e}get isDoublePrecisionBuffer(){return this._shouldSplitDoublePrecisionValue(this.value)}delete(){this._buffer&&(this._buffer.delete(),this._buffer=null),Zn.release(this.state.allocatedValue),this.state.allocatedValue=null}getBuffer(){return this.state.constant&&this.device.type!=="webgpu"?null:this.state.externalBuffer||this._buffer}getValue(e=this.id,t=null){let n={};if(this.state.constant){let i=this.value;if(this.device.type==="webgpu"&&this._buffer)n[e]=this._buffer;else if(t){let s=Qy(this.getAccessor(),t),o=s.offset/i.BYTES_PER_ELEMENT,a=s.size||this.size;n[e]=i.subarray(o,o+a)}else n[e]=i}else n[e]=this.getBuffer();return this.doublePrecision&&(this.isDoublePrecisionBuffer?n[`${e}64Low`]=n[e]:n[`${e}64Low`]=new Float32Array(this.size)),n}_getBufferLayout(e=this.id,t=null){let n=this.getAccessor(),i=[],s={name:this.id,byteStride:this.device.type==="webgpu"&&this.state.constant?0:kr(n)};if(this.doublePrecision){let o=Vz(n,t||{});i.push(Fl(e,{...n,...o.high},this.device.type),Fl(`${e}64Low`,{...n,...o.low},this.device.type))}else if(t){let o=Qy(n,t);i.push(Fl(e,{...n,...o},this.device.type))}else i.push(Fl(e,n,this.device.type));return s.attributes=i.filter(Boolean),s}setAccessor(e){this.state.bufferAccessor=e}getAccessor(){return this.state.bufferAccessor}getBounds(){if(this.state.bounds)return this.state.bounds;let e=null;if(this.state.constant&&this.value){let t=Array.from(this.value);e=[t,t]}else{let{value:t,numInstances:n,size:i}=this,s=n*i;if(t&&s&&t.length>=s){let o=new Array(i).fill(1/0),a=new Array(i).fill(-1/0);for(let c=0;c<s;)for(let l=0;l<i;l++){let u=t[c++];u<o[l]&&(o[l]=u),u>a[l]&&(a[l]=u)}e=[o,a]}}return this.state.bounds=e,e}setData(e){let{state:t}=this,n;ArrayBuffer.isView(e)?n={value:e}:e instanceof re?n={buffer:e}:n=e;let i={...this.settings,...n};if(ArrayBuffer.isView(n.value)){if(!n.type)if(this.doublePrecision&&n.value instanceof Float64Array)i.type="float32";else{let o=e3(n.value);i.type=i.normalized?o.replace("int","norm"):o}i.bytesPerElement=n.value.BYTES_PER_ELEMENT,i.stride=kr(i)}if(t.bounds=null,n.constant){let s=n.value;if(s=this._normalizeValue(s,[],0),this.settings.normalized&&(s=this.normalizeConstant(s)),!(!t.constant||!this._areValuesEqual(s,this.value)))return!1;t.externalBuffer=null,t.constant=!0,this.value=ArrayBuffer.isView(s)?s:new Float32Array(s)}else if(n.buffer){let s=n.buffer;t.externalBuffer=s,t.constant=!1,this.value=n.value||null}else if(n.value){this._checkExternalBuffer(n);let s=n.value,o=s;t.externalBuffer=null,t.constant=!1,this.value=s,this._shouldSplitDoublePrecisionValue(o)&&(o=la(o,i),s instanceof Float32Array&&(i.stride=i.size*2*Float32Array.BYTES_PER_ELEMENT));let{buffer:a}=this,c=kr(i),l=(i.vertexOffset||0)*c;if(this.settings.isIndexed){let f=this.settings.defaultType;o.constructor!==f&&(o=new f(o))}let u=o.byteLength+l+c*2;(!a||a.byteLength<u)&&(a=this._createBuffer(u)),a.write(o,l)}return this.setAccessor(i),!0}updateSubBuffer(e={}){this.state.bounds=null;let t=this.value,{startOffset:n=0,endOffset:i}=e,s=this._shouldSplitDoublePrecisionValue(t);this.buffer.write(s?la(t,{size:this.size,startIndex:n,endIndex:i}):t.subarray(n,i),n*(s?8:t.BYTES_PER_ELEMENT)+this.byteOffset)}allocate(e,t=!1){let{state:n}=this,i=n.allocatedValue,s=Zn.allocate(i,e+1,{size:this.size,type:this.settings.defaultType,copy:t});this.value=s;let o=this._shouldSplitDoublePrecisionValue(s),a=o&&s instanceof Float32Array?{...this.settings,stride:this.size*2*Float32Array.BYTES_PER_ELEMENT}:this.settings;this.setAccessor(a);let{byteOffset:c}=this,{buffer:l}=this,u=s.byteLength*(o&&s instanceof Float32Array?2:1);return(!l||l.byteLength<u+c)&&(l=this._createBuffer(u+c),t&&i&&l.write(this._shouldSplitDoublePrecisionValue(i)?la(i,this):i,c)),n.allocatedValue=s,n.constant=!1,n.externalBuffer=null,!0}_shouldSplitDoublePrecisionValue(e){return!!(this.doublePrecision&&(e instanceof Float64Array||this.device.type==="webgpu"&&e instanceof Float32Array))}_checkExternalBuffer(e){let{value:t}=e;if(!ArrayBuffer.isView(t))throw new Error(`Attribute ${this.id} value is not TypedArray`);let n=this.settings.defaultType,i=!1;if(this.doublePrecision&&(i=t.BYTES_PER_ELEMENT<4),i)throw new Error(`Attribute ${this.id} does not support ${t.constructor.name}`);!(t instanceof n)&&this.settings.normalized&&!("normalized"in e)&&ie.warn(`Attribute ${this.id} is normalized`)()}normalizeConstant(e){switch(this.settings.type){case"snorm8":return new Float32Array(e).map(t=>(t+128)/255*2-1);case"snorm16":return new Float32Array(e).map(t=>(t+32768)/65535*2-1);case"unorm8":return new Float32Array(e).map(t=>t/255);case"unorm16":return new Float32Array(e).map(t=>t/65535);default:return e}}_normalizeValue(e,t,n){let{defaultValue:i,size:s}=this.settings;if(Number.isFinite(e))return t[n]=e,t;if(!e){let o=s;for(;--o>=0;)t[n+o]=i[o];return t}switch(s){case 4:t[n+3]=Number.isFinite(e[3])?e[3]:i[3];case 3:t[n+2]=Number.isFinite(e[2])?e[2]:i[2];case 2:t[n+1]=Number.isFinite(e[1])?e[1]:i[1];case 1:t[n+0]=Number.isFinite(e[0])?e[0]:i[0];break;default:let o=s;for(;--o>=0;)t[n+o]=Number.isFinite(e[o])?e[o]:i[o]}return t}_areValuesEqual(e,t){if(!e||!t)return!1;let{size:n}=this;for(let i=0;i<n;i++)if(e[i]!==t[i])return!1;return!0}_createBuffer(e){this._buffer&&this._buffer.destroy();let{isIndexed:t,type:n}=this.settings,i=this.device.type==="webgpu"&&!t?re.VERTEX|re.STORAGE|re.COPY_DST|re.COPY_SRC:(t?re.INDEX:re.VERTEX)|re.COPY_DST;return this._buffer=this.device.createBuffer({...this._buffer?.props,id:this.id,usage:i,indexType:t?n:void 0,byteLength:e}),this._buffer}};var r3=[],n3=[];function i3(r,e=0,t=1/0){let n=r3,i={index:-1,data:r,target:[]};return r?typeof r[Symbol.iterator]=="function"?n=r:r.length>0&&(n3.length=r.length,n=n3):n=r3,(e>0||Number.isFinite(t))&&(n=(Array.isArray(n)?n:Array.from(n)).slice(e,t),i.index=e-1),{iterable:n,objectInfo:i}}function dh(r){return r&&r[Symbol.asyncIterator]}function s3(r,e){let{size:t,stride:n,offset:i,startIndices:s,nested:o}=e,a=r.BYTES_PER_ELEMENT,c=n?n/a:t,l=i?i/a:0,u=Math.floor((r.length-l)/c);return(f,{index:d,target:h})=>{if(!s){let w=d*c+l;for(let _=0;_<t;_++)h[_]=r[w+_];return h}let p=s[d],m=s[d+1]||u,b;if(o){b=new Array(m-p);for(let w=p;w<m;w++){let _=w*c+l;h=new Array(t);for(let x=0;x<t;x++)h[x]=r[_+x];b[w-p]=h}}else if(c===t)b=r.subarray(p*t+l,m*t+l);else{b=new r.constructor((m-p)*t);let w=0;for(let _=p;_<m;_++){let x=_*c+l;for(let E=0;E<t;E++)b[w++]=r[x+E]}}return b}}var o3=[],zl=[[0,1/0]];function a3(r,e){if(r===zl||(e[0]<0&&(e[0]=0),e[0]>=e[1]))return r;let t=[],n=r.length,i=0;for(let s=0;s<n;s++){let o=r[s];o[1]<e[0]?(t.push(o),i=s+1):o[0]>e[1]?t.push(o):e=[Math.min(o[0],e[0]),Math.max(o[1],e[1])]}return t.splice(i,0,e),t}var jz={interpolation:{duration:0,easing:r=>r},spring:{stiffness:.05,damping:.5}};function hh(r,e){if(!r)return null;Number.isFinite(r)&&(r={type:"interpolation",duration:r});let t=r.type||"interpolation";return{...jz[t],...e,...r,type:t}}var Ws=class extends Ul{constructor(e,t){super(e,t,{startIndices:null,constantValue:null,lastExternalBuffer:null,binaryValue:null,binaryAccessor:null,needsUpdate:!0,needsRedraw:!1,layoutChanged:!1,updateRanges:zl}),this.constant=!1,this.settings.update=t.update||(t.accessor?this._autoUpdater:void 0),Object.seal(this.settings),Object.seal(this.state),this._validateAttributeUpdaters()}get startIndices(){return this.state.startIndices}set startIndices(e){this.state.startIndices=e}needsUpdate(){return this.state.needsUpdate}needsRedraw({clearChangedFlags:e=!1}={}){let t=this.state.needsRedraw;return this.state.needsRedraw=t&&!e,t}layoutChanged(){return this.state.layoutChanged}setAccessor(e){var t;(t=this.state).layoutChanged||(t.layoutChanged=!t3(e,this.getAccessor())),super.setAccessor(e)}getUpdateTriggers(){let{accessor:e}=this.settings;return[this.id].concat(typeof e!="function"&&e||[])}supportsTransition(){return!!this.settings.transition}getTransitionSetting(e){if(!e||!this.supportsTransition())return null;let{accessor:t}=this.settings,n=this.settings.transition,i=Array.isArray(t)?e[t.find(s=>e[s])]:e[t];return hh(i,n)}setNeedsUpdate(e=this.id,t){if(this.state.needsUpdate=this.state.needsUpdate||e,this.setNeedsRedraw(e),t){let{startRow:n=0,endRow:i=1/0}=t;this.state.updateRanges=a3(this.state.updateRanges,[n,i])}else this.state.updateRanges=zl}clearNeedsUpdate(){this.state.needsUpdate=!1,this.state.updateRanges=o3}setNeedsRedraw(e=this.id){this.state.needsRedraw=this.state.needsRedraw||e}allocate(e){let{state:t,settings:n}=this;if(n.noAlloc)return!1;if(n.update){let i=this.isConstant;return super.allocate(e,t.updateRanges!==zl),t.layoutChanged||(t.layoutChanged=i&&this.device.type==="webgpu"),!0}return!1}updateBuffer({numInstances:e,data:t,props:n,context:i}){if(!this.needsUpdate())return!1;let{state:{updateRanges:s},settings:{update:o,noAlloc:a}}=this,c=!0;if(o){for(let[l,u]of s)o.call(i,this,{data:t,startRow:l,endRow:u,props:n,numInstances:e});if(this.value)if(this.constant||!this.buffer||this.buffer.byteLength<this.value.byteLength+this.byteOffset){if(this.constant){let l=this.value;this.value=null,this.setConstantValue(i,l)}else this.setData({value:this.value,constant:this.constant});this.constant=!1}else for(let[l,u]of s){let f=Number.isFinite(l)?this.getVertexOffset(l):0,d=Number.isFinite(u)?this.getVertexOffset(u):a||!Number.isFinite(e)?this.value.length:e*this.size;super.updateSubBuffer({startOffset:f,endOffset:d})}this._checkAttributeArray()}else c=!1;return this.clearNeedsUpdate(),this.setNeedsRedraw(),c}setConstantValue(e,t){var n;if(t===void 0||typeof t=="function")return!1;let i=this.isConstant,s=this.settings.transform&&e?this.settings.transform.call(e,t):t,o=this.settings.defaultType;this.state.constantValue=this._normalizeValue(s,new o(this.size),0);let a=this.setData({constant:!0,value:s});if(this.device.type==="webgpu"){let c=this.state.constantValue;this.doublePrecision&&(c instanceof Float32Array||c instanceof Float64Array)&&(c=la(c,{size:this.size}),this.setAccessor({...this.getAccessor(),stride:this.size*2*Float32Array.BYTES_PER_ELEMENT}));let l=this._buffer;(!l||l.byteLength<c.byteLength)&&(l=this._createBuffer(c.byteLength)),l.write(c),(n=this.state).layoutChanged||(n.layoutChanged=!i),this.constant=!1}return a&&this.setNeedsRedraw(),this.clearNeedsUpdate(),!0}getConstantValue(){return this.isConstant?this.state.constantValue:null}setExternalBuffer(e){let{state:t}=this;return e?(this.clearNeedsUpdate(),t.lastExternalBuffer===e||(t.lastExternalBuffer=e,this.setNeedsRedraw(),this.setData(e)),!0):(t.lastExternalBuffer=null,!1)}setBinaryValue(e,t=null){let{state:n,settings:i}=this;if(!e)return n.binaryValue=null,n.binaryAccessor=null,!1;if(i.noAlloc)return!1;if(n.binaryValue===e)return this.clearNeedsUpdate(),!0;if(n.binaryValue=e,this.setNeedsRedraw(),i.transform||t!==this.startIndices){ArrayBuffer.isView(e)&&(e={value:e});let o=e;be(ArrayBuffer.isView(o.value),`invalid ${i.accessor}`);let a=!!o.size&&o.size!==this.size;return n.binaryAccessor=s3(o.value,{size:o.size||this.size,stride:o.stride,offset:o.offset,startIndices:t,nested:a}),!1}return this.clearNeedsUpdate(),this.setData(e),!0}getVertexOffset(e){let{startIndices:t}=this;return(t?e<t.length?t[e]:this.numInstances:e)*this.size}getValue(){let e=this.settings.shaderAttributes,t=super.getValue();if(!e)return t;for(let n in e)Object.assign(t,super.getValue(n,e[n]));return t}getBufferLayout(e){this.state.layoutChanged=!1;let t=this.settings.shaderAttributes,n=super._getBufferLayout(),{stepMode:i}=this.settings;if(i==="dynamic"?n.stepMode=e?e.isInstanced?"instance":"vertex":"instance":n.stepMode=i??"vertex",!t)return n;for(let s in t){let o=super._getBufferLayout(s,t[s]);n.attributes.push(...o.attributes)}return n}_autoUpdater(e,{data:t,startRow:n,endRow:i,props:s,numInstances:o}){let{settings:a,state:c,value:l,size:u,startIndices:f}=e,{accessor:d,transform:h}=a,p=c.binaryAccessor||(typeof d=="function"?d:s[d]);be(typeof p=="function",`accessor "${d}" is not a function`);let m=e.getVertexOffset(n),{iterable:b,objectInfo:w}=i3(t,n,i);for(let _ of b){w.index++;let x=p(_,w);if(h&&(x=h.call(this,x)),f){let E=(w.index<f.length-1?f[w.index+1]:o)-f[w.index];if(x&&Array.isArray(x[0])){let T=m;for(let A of x)e._normalizeValue(A,l,T),T+=u}else x&&x.length>u?l.set(x,m):(e._normalizeValue(x,w.target,0),mT({target:l,source:w.target,start:m,count:E}));m+=E*u}else e._normalizeValue(x,l,m),m+=u}}_validateAttributeUpdaters(){let{settings:e}=this;if(!(e.noAlloc||typeof e.update=="function"))throw new Error(`Attribute ${this.id} missing update or accessor`)}_checkAttributeArray(){let{value:e}=this,t=Math.min(4,this.size);if(e&&e.length>=t){let n=!0;switch(t){case 4:n=n&&Number.isFinite(e[3]);case 3:n=n&&Number.isFinite(e[2]);case 2:n=n&&Number.isFinite(e[1]);case 1:n=n&&Number.isFinite(e[0]);break;default:n=!1}if(!n)throw new Error(`Illegal attribute generated for ${this.id}`)}}};ni();i_();ni();var $l=class r{gpuDataEvaluators;format;length;id;_gpuVector;_ownsGPUDataEvaluators;_destroyed=!1;static fromGPUVector(e){if(e.bufferLayout)throw new Error(`GPUVectorEvaluator.fromGPUVector() does not accept interleaved vector "${e.name}"`);if(e.data.length===0)throw new Error(`GPUVectorEvaluator.fromGPUVector() requires GPUData for "${e.name}"`);return new r({id:e.name,gpuDataEvaluators:e.data.map(t=>xe.fromGPUData(t,{id:e.name})),gpuVector:e,format:e.format})}static fromGPUDataEvaluators(e,t={}){return new r({id:t.id,gpuDataEvaluators:e,format:t.format})}constructor({id:e,gpuDataEvaluators:t,gpuVector:n,format:i}){if(t.length===0)throw new Error("GPUVectorEvaluator requires at least one GPUData evaluator");iG(t),this.id=e,this.gpuDataEvaluators=t,this.format=i??t[0].format,this.length=t.reduce((s,o)=>s+o.length,0),this._gpuVector=n,this._ownsGPUDataEvaluators=!n}get evaluated(){return!!this._gpuVector}get gpuVector(){if(!this._gpuVector)throw new Error(`${this} not evaluated`);return this._gpuVector}mapGPUData(e){return r.fromGPUDataEvaluators(this.gpuDataEvaluators.map((t,n)=>e(t,n)),{id:this.id})}async evaluate(e,t={}){if(this._destroyed)throw new Error(`GPUVectorEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let n=await Promise.all(this.gpuDataEvaluators.map(a=>a.evaluate(e,t))),i=n[0],s=n.map(_3),o=t.format??this.format??i.format;return this._gpuVector=new On({type:"data",name:t.name??this.id??"vector",format:o,data:s,stride:i.stride,byteStride:i.byteStride,rowByteLength:i.rowByteLength,bufferLayout:i.bufferLayout}),this._gpuVector}evaluateSync(e,t={}){if(this._destroyed)throw new Error(`GPUVectorEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let n=this.gpuDataEvaluators.map(a=>a.evaluateSync(e,t)),i=n[0],s=n.map(_3),o=t.format??this.format??i.format;return this._gpuVector=new On({type:"data",name:t.name??this.id??"vector",format:o,data:s,stride:i.stride,byteStride:i.byteStride,rowByteLength:i.rowByteLength,bufferLayout:i.bufferLayout}),this._gpuVector}destroy(){if(this._ownsGPUDataEvaluators)for(let e of this.gpuDataEvaluators)e.destroy();this._gpuVector=void 0,this._destroyed=!0}toString(){return this.id??this.constructor.name}};function iG(r){let e=r[0];for(let t of r.slice(1))if(t.type!==e.type||t.size!==e.size||t.normalized!==e.normalized||t.format!==e.format)throw new Error("GPUVectorEvaluator requires matching GPUData evaluator layouts")}function _3(r){let[e,...t]=r.data;if(!e||t.length>0)throw new Error(`GPUVectorEvaluator requires one GPUData chunk for "${r.name}"`);return e}ni();J();var c_={};zn(c_,{arithmetic:()=>x3,dot:()=>P3,equalAll:()=>A3,extent:()=>v3,fround:()=>E3,gather:()=>S3,interleave:()=>T3,length:()=>L3,segmentedMap:()=>M3,select:()=>C3,sequence:()=>R3,swizzle:()=>I3});wh();function Ta({elementWise:r,func:e,inputs:t,output:n,outputBuffer:i}){let s=Array.isArray(t)?t:Object.values(t);for(let p of s)if(!p.value)throw new Error(`${p} does not have CPU value`);let o=n.length,a=n.size,c=new n.ValueType(o*a);for(let p=0;p<o;p++){let m=s.map(b=>Ye(b,p));if(r)for(let b=0;b<a;b++)c[p*a+b]=e.apply(null,m.map(w=>w[b]));else e.call(null,c.subarray(p*a,p*a+a),...m)}let l=n.ValueType.BYTES_PER_ELEMENT,u=n.offset/l,f=n.stride/l,d=a,h=c;if(u!==0||f!==d){h=new n.ValueType(u+n.byteLength/l);for(let p=0;p<o;p++){let m=p*d,b=u+p*f,w=c.subarray(m,m+a);h.set(w,b),i.write(w,b*l)}}else i.write(c);return{success:!0,value:h}}function Ye(r,e){let t=r.value,n=r.size,i=r.offset/r.ValueType.BYTES_PER_ELEMENT,s=r.stride/r.ValueType.BYTES_PER_ELEMENT,o=r.isConstant?0:e,a=i+o*s,c=t.slice(a,a+n);if(!r.normalized)return c;let l=new Float32Array(n);for(let u=0;u<n;u++)l[u]=sG(c[u],r.type);return l}function sG(r,e){switch(e){case"uint8":return r/255;case"uint16":return r/65535;case"uint32":return r/4294967295;case"sint8":return Math.max(r/127,-1);case"sint16":return Math.max(r/32767,-1);case"sint32":return Math.max(r/2147483647,-1);case"float32":return r;default:throw new Error(`Unsupported normalized source type ${e}`)}}var x3=({inputs:r,output:e,target:t})=>{for(let i of Object.values(r.namedInputs))if(!i.value)throw new Error(`${i} does not have CPU value`);let n=new e.ValueType(e.length*e.size);for(let i=0;i<e.length;i++){let s=Object.fromEntries(Object.entries(r.namedInputs).map(([o,a])=>[o,Ye(a,i)]));for(let o=0;o<e.size;o++)n[i*e.size+o]=w3(r.expression,s,o)}return t.write(n),{success:!0,value:n}};function w3(r,e,t){switch(r.kind){case"input":{let n=e[r.name];return t<n.length?n[t]:n.length===1?n[0]:0}case"literal":return Array.isArray(r.value)?r.value[t]??0:r.value;case"call":{oG(r.op,r.args.length);let n=r.args.map(i=>w3(i,e,t));switch(r.op){case"add":return n[0]+n[1];case"subtract":return n[0]-n[1];case"multiply":return n[0]*n[1];case"divide":return n[0]/n[1];case"pow":return Math.pow(n[0],n[1]);case"sqrt":return Math.sqrt(n[0]);case"abs":return Math.abs(n[0]);case"sin":return Math.sin(n[0]);case"cos":return Math.cos(n[0]);case"tan":return Math.tan(n[0]);case"exp":return Math.exp(n[0]);case"log":return Math.log(n[0]);default:{let i=r.op;throw new Error(`Unsupported arithmetic op ${i}`)}}}default:{let n=r;throw new Error(`Unsupported expression node ${n.kind}`)}}}function oG(r,e){let t=Sa[r].arity;if(e!==t)throw new Error(`Arithmetic op '${r}' expects ${t} args, got ${e}`)}var v3=({inputs:r,output:e,target:t})=>{let{sourceValues:n}=r;if(!n.value)throw new Error(`${n} does not have CPU value`);let s=new e.ValueType(e.length*e.size);if(n.length===0)return{success:!1,error:new Error(`${n} is empty`)};for(let o=0;o<n.size;o++){let a=Ye(n,0)[o],c=o*e.size,l=c+1;s[c]=a,s[l]=a;for(let u=1;u<n.length;u++){let f=Ye(n,u)[o];f<s[c]&&(s[c]=f),f>s[l]&&(s[l]=f)}}return t.write(s),{success:!0,value:s}};var E3=({inputs:r,output:e,target:t})=>Ta({func:(n,i)=>{let s=n.length/2,o=new Float64Array(i.buffer);for(let a=0;a<s;a++){let c=o[a];n[a]=Math.fround(c),n[a+s]=c-n[a]}return n},inputs:r,output:e,outputBuffer:t});var S3=async({inputs:r,output:e,target:t})=>{let{ids:n,sourceValues:i}=r,s=n.value,o=i.value;if(!s)throw new Error(`${n} does not have CPU value`);if(!o)throw new Error(`${i} does not have CPU value`);let a=new e.ValueType(e.length*e.size),c=new Array(e.size).fill(0);for(let l=0;l<e.length;l++){let u=Ye(n,l),f=Number(u[0]),d=aG(f,i.length)?Ye(i,f):c;a.set(d,l*e.size)}return t.write(a),{success:!0,value:a}};function aG(r,e){return Number.isInteger(r)&&r>=0&&r<e}var T3=({inputs:r,output:e,target:t})=>Ta({func:(n,...i)=>{let s=0;for(let o of i)n.set(o,s),s+=o.length},inputs:r,output:e,outputBuffer:t});var P3=({inputs:r,output:e,target:t})=>{let{x:n,y:i}=r,s=new e.ValueType(e.length);for(let o=0;o<e.length;o++){let a=Ye(n,o),c=Ye(i,o),l=0;for(let u=0;u<n.size;u++)l+=a[u]*c[u];s[o]=l}return t.write(s),{success:!0,value:s}};var A3=({inputs:r,output:e,target:t})=>{let{x:n,y:i}=r,s=new e.ValueType(e.length);for(let o=0;o<e.length;o++){let a=Ye(n,o),c=Ye(i,o),l=1;for(let u=0;u<n.size;u++)if(a[u]!==c[u]){l=0;break}s[o]=l}return t.write(s),{success:!0,value:s}};var L3=({inputs:r,output:e,target:t})=>{let{x:n}=r,i=new e.ValueType(e.length);for(let s=0;s<e.length;s++){let o=Ye(n,s),a=0;for(let c=0;c<n.size;c++)a+=o[c]*o[c];i[s]=Math.sqrt(a)}return t.write(i),{success:!0,value:i}};var M3=async({inputs:r,output:e,target:t})=>{let{segments:n,vertexCount:i}=r,s=n.value;if(!s)throw new Error(`${n} does not have CPU value`);cG(s,n,i);let o=new e.ValueType(e.length*e.size),a=0;for(let c=0;c<i;c++){for(;a+1<n.length&&s[o_(n,a+1)]<=c;)a++;let l=s[o_(n,a)],u=c*e.size;o[u]=a,o[u+1]=c-l}return t.write(o),{success:!0,value:o}};function cG(r,e,t){if(e.length<1)throw new Error("segmentedMap segments must contain at least one segment start");let n=0;for(let i=0;i<e.length;i++){let s=r[o_(e,i)];if(i===0&&s!==0)throw new Error(`segmentedMap segments must start at 0, got ${s}`);if(i>0&&s<n)throw new Error(`segmentedMap segments must be non-decreasing, got ${s} after ${n}`);n=s}if(n>t)throw new Error(`segmentedMap last segment start must be <= vertexCount, got ${n} > ${t}`)}function o_(r,e){return r.offset/r.ValueType.BYTES_PER_ELEMENT+e*(r.stride/r.ValueType.BYTES_PER_ELEMENT)}var C3=async({inputs:r,output:e,target:t})=>{let{condition:n,whenTrue:i,whenFalse:s}=r,o=new e.ValueType(e.length*e.size);for(let a=0;a<e.length;a++){let c=Ye(n,a),l=Ye(i,a),u=Ye(s,a);for(let f=0;f<e.size;f++){let d=a_(c,n.size,f);o[a*e.size+f]=d!==0?a_(l,i.size,f):a_(u,s.size,f)}}return t.write(o),{success:!0,value:o}};function a_(r,e,t){return t<e?r[t]:e===1?r[0]:0}var R3=({inputs:r,output:e,target:t})=>{let n=new e.ValueType(e.length);for(let i=0;i<e.length;i++)n[i]=r.start+i*r.step;return t.write(n),{success:!0,value:n}};var I3=({inputs:r,output:e,target:t})=>{let{columns:n}=r;return Ta({func:(i,s)=>{for(let o=0;o<n.length;o++)i[o]=s[n[o]]},inputs:{x:r.x},output:e,outputBuffer:t})};var w_=class{_modules={cpu:c_};add(e,t){let n=this._modules[e];if(typeof t.then=="function"){let s=Promise.all([Promise.resolve(n||{}),t]).then(([o,a])=>({...o,...a}));return this._modules[e]=s,s.then(o=>{this._modules[e]=o}).catch(o=>{k.error(`Failed to register ${e} backend: ${o}`)()}),s}if(n&&typeof n.then=="function"){let s=Promise.resolve(n).then(o=>({...o,...t})).then(o=>(this._modules[e]=o,o)).catch(o=>{throw k.error(`Failed to register ${e} backend: ${o}`)(),o});return this._modules[e]=s,s}let i={...n||{},...t};return this._modules[e]=i,Promise.resolve(i)}async get(e,t){let n=this._modules[e];if(!n)if(e==="webgl")n=this.add("webgl",Promise.resolve().then(()=>(cA(),aA)));else if(e==="webgpu")n=this.add("webgpu",Promise.resolve().then(()=>(x_(),kA)));else throw new Error(`${e} backend not registered`);let s=(await n)[t];if(typeof s!="function")throw new Error(`${e} backend does not implement ${t}`);return s}getSync(e,t){let n=this._modules[e];if(!n)throw new Error(`${e} backend not registered`);if(typeof n.then=="function")throw new Error(`${e} backend is not loaded yet`);let s=n[t];if(typeof s!="function")throw new Error(`${e} backend does not implement ${t}`);return s}clear(){this._modules={}}},Ra=new w_;var Ch=class{inputs;dependencies;constructor(e){this.inputs=e,this.dependencies=Array.from(e instanceof Array?e:Object.values(e)).filter(t=>t instanceof xe)}async execute(e,t){return await this._resolveDependencies(e),await this._executeWithHandler(await Ra.get(this._getHandlerRegistry(e),this.name),t)}executeSync(e,t){this._resolveDependenciesSync(e);let n=this._executeWithHandler(Ra.getSync(this._getHandlerRegistry(e),this.name),t);if(JG(n))throw new Error(`${this.name} returned a Promise in executeSync()`);return n}shouldExecuteOnCPU(){return this.output.length<=1&&Array.from(this.dependencies).every(e=>!!e.value)}_getHandlerRegistry(e){return this.shouldExecuteOnCPU()?"cpu":e.type}async _resolveDependencies(e){for(let n of this.dependencies)await n.evaluate(e);if(this._getHandlerRegistry(e)==="cpu"||e.type==="null")for(let n of this.dependencies)await n.ensureCPUValue()}_resolveDependenciesSync(e){for(let n of this.dependencies)n.evaluateSync(e);if(this._getHandlerRegistry(e)==="cpu"||e.type==="null")for(let n of this.dependencies)n.ensureCPUValueSync()}_executeWithHandler(e,t){return e({device:t.device,inputs:this.inputs,output:this.output,target:t})}};function JG(r){return typeof r?.then=="function"}function OA(...r){let e=e$(r.map(t=>t.type));return e[0]!=="f"&&r.some(t=>t.normalized)&&(e="float32"),{isConstant:r.every(t=>t.isConstant),type:e,size:r.reduce((t,n)=>Math.max(t,n.size),0),length:r.reduce((t,n)=>Math.max(t,n.length),0)}}function e$(r){let e=0,t=0;for(let n of r){if(n[0]==="f")return"float32";let i=n.endsWith("8")?8:n.endsWith("6")?16:32;n[0]==="u"?e=Math.max(e,i):t=Math.max(t,i)}return e&&!t?`uint${e}`:t&&e<32?`sint${Math.max(t,e*2)}`:"float32"}ni();var v_=class extends Ch{name="interleave";output;constructor(e){super(e);let{isConstant:t,type:n,length:i}=OA(...e);this.output=new xe({isConstant:t,type:n,size:e.reduce((s,o)=>s+o.size,0),length:i,source:this})}toString(){return`_${this.inputs.join("_")}_`}};function E_(...r){if(r.length===0)throw new Error("interleave() requires at least one input");return r.length===1?xh(r[0]):new v_(r.map(xh)).output}He();ni();function T_(r,e){let t=r$(e);for(let n of t)n.evaluateSync(r);return t$(t),e}function t$(r){let e=new Set(r.flatMap(i$)),t=new Set;for(let n of r)Rh(n,t);for(let n of t)n.evaluated&&!e.has(n.buffer)&&n.destroy()}function r$(r){let e=new Set;return S_(r,e,new Set),Array.from(e)}function S_(r,e,t){if(s$(r)){e.add(r);return}if(!(!r||typeof r!="object"||t.has(r))){if(t.add(r),Array.isArray(r)){for(let n of r)S_(n,e,t);return}if(n$(r))for(let n of Object.values(r))S_(n,e,t)}}function n$(r){let e=Object.getPrototypeOf(r);return e===Object.prototype||e===null}function Rh(r,e){if(r instanceof $l){for(let n of r.gpuDataEvaluators)Rh(n,e);return}let t=r.source;if(t){if(t instanceof xe){e.has(t)||(e.add(t),Rh(t,e));return}for(let n of t.dependencies)e.has(n)||(e.add(n),Rh(n,e))}}function i$(r){return r instanceof xe?[r.buffer]:r.gpuVector.data.map(e=>e.buffer instanceof Et?e.buffer.buffer:e.buffer)}function s$(r){return r instanceof xe||r instanceof $l}x_();var Wl=class{constructor(e,{id:t,isTransitionAttribute:n}){this.packedBuffers={},this.device=e,this.id=t,this.isTransitionAttribute=n,this.device.type==="webgpu"&&Ra.add("webgpu",{interleave:Mh})}hasGroups(e){return this.device.type==="webgpu"&&Object.values(e).some(t=>!!t.settings.bufferGroup)}finalize(){for(let e of Object.values(this.packedBuffers))e.packed.destroy();this.packedBuffers={}}getBufferLayouts(e,t){let n=this._getPackedGroups(e,t,{requireValues:!1,excludeAttributes:{}});return this._getBufferLayouts(e,n,t)}getBindings(e,t,n,i){let s=this._getPackedGroups(e,n,{requireValues:!0,excludeAttributes:i}),o={},a=new Set;for(let c of s.values()){let l=!this.packedBuffers[c.id]||c.attributes.some(u=>!!t[u.id]);o[c.id]=this._getPackedBuffer(c,l);for(let u of c.attributes)a.add(u.id)}return{bufferLayouts:this._getBufferLayouts(e,s,n).filter(c=>!i[c.name]&&!e[c.name]?.settings.isIndexed),buffers:o,groupedAttributeIds:a}}_getPackedGroups(e,t,{requireValues:n,excludeAttributes:i}){let s=new Map;for(let a of Object.values(e)){let c=a.settings.bufferGroup;if(!c)continue;let l=s.get(c)||[];l.push(a),s.set(c,l)}let o=new Map;for(let[a,c]of s){let l=this._getPackedGroup(a,c,t,n,i);l&&o.set(a,l)}return o}_getPackedGroup(e,t,n,i,s){if(t.length<2)return null;let o=t.map(h=>h.getBufferLayout(n)),a=o[0].stepMode,c=Math.max(1,t[0].numInstances),l=i&&t.every(h=>h.isConstant);for(let h=0;h<t.length;h++){let p=t[h],m=p.getAccessor(),b=m.size*m.bytesPerElement;if(s[p.id]||p.settings.isIndexed||p.settings.noAlloc||p.doublePrecision||this.isTransitionAttribute(p.id)||o[h].stepMode!==a||p.numInstances!==t[0].numInstances||(m.offset||0)!==0||(m.vertexOffset||0)!==0||kr(m)!==b||i&&(p.isConstant?!p.getConstantValue()||p.getConstantValue().byteLength<b:!ArrayBuffer.isView(p.value)||p.value.byteLength<c*b))return null}let u={},f=[],d=0;for(let h=0;h<t.length;h++){let p=t[h];d=DA(d),u[p.id]=d;for(let m of o[h].attributes||[])f.push({...m,byteOffset:d+(m.byteOffset||0)});d+=kr(p.getAccessor())}return d=DA(d),{id:e,attributes:t,byteStride:d,byteOffsets:u,rowCount:c,layout:{name:e,byteStride:l?0:d,stepMode:a,attributes:f}}}_getBufferLayouts(e,t,n){let i=[],s=new Set,o=new Set;for(let a of t.values())for(let c of a.attributes)o.add(c.id);for(let a of Object.values(e)){let c=a.settings.bufferGroup,l=c&&t.get(c);l&&o.has(a.id)?s.has(l.id)||(i.push(l.layout),s.add(l.id)):i.push(a.getBufferLayout(n))}return i}_getPackedBuffer(e,t){let n=JSON.stringify({byteStride:e.layout.byteStride,attributes:e.layout.attributes}),i=this.packedBuffers[e.id];if((!i||i.layoutKey!==n)&&(t=!0),t){i&&(i.packed.destroy(),delete this.packedBuffers[e.id]);let s=this._interleavePackedGroup(e);return this.packedBuffers[e.id]={packed:s,layoutKey:n},s.buffer}if(!i)throw new Error(`Attribute buffer group ${e.id} has no packed buffer`);return i.packed.buffer}_interleavePackedGroup(e){let t=e.attributes.map(i=>this._getInterleaveInput(e,i)),n=E_(...t);return T_(this.device,n),n}_getInterleaveInput(e,t){let n=kr(t.getAccessor()),i=e.byteOffsets[t.id];if(Vl(`${e.id}.${t.id} rowByteLength`,n),Vl(`${e.id}.${t.id} groupByteOffset`,i),t.isConstant){let c=t.getConstantValue();if(!c)throw new Error(`Attribute group ${e.id} is missing constant value ${t.id}`);return Vl(`${e.id}.${t.id} constant byteOffset`,c.byteOffset),new xe({id:t.id,type:"uint32",size:n/4,isConstant:!0,value:new Uint32Array(c.buffer,c.byteOffset,n/Uint32Array.BYTES_PER_ELEMENT)})}let s=t.getBuffer(),o=t.byteOffset,a=t.getAccessor().stride||n;if(Vl(`${e.id}.${t.id} byteOffset`,o),Vl(`${e.id}.${t.id} stride`,a),!s)throw new Error(`Attribute group ${e.id} cannot interleave missing buffer ${t.id}`);return new xe({id:t.id,type:"uint32",size:n/4,offset:o,stride:a,length:e.rowCount,buffer:s})}};function DA(r){return Math.ceil(r/4)*4}function Vl(r,e){if(e%4!==0)throw new Error(`Attribute buffer groups require 32-bit alignment: ${r}=${e}`)}He();Wt();function P_(r){let{source:e,target:t,start:n=0,size:i,getData:s}=r,o=r.end||t.length,a=e.length,c=o-n;if(a>c){t.set(e.subarray(0,c),n);return}if(t.set(e,n),!s)return;let l=a;for(;l<c;){let u=s(l,e);for(let f=0;f<i;f++)t[n+l]=u[f]||0,l++}}function NA({source:r,target:e,size:t,getData:n,sourceStartIndices:i,targetStartIndices:s}){if(!i||!s)return P_({source:r,target:e,size:t,getData:n}),e;let o=0,a=0,c=n&&((u,f)=>n(u+a,f)),l=Math.min(i.length,s.length);for(let u=1;u<l;u++){let f=i[u]*t,d=s[u]*t;P_({source:r.subarray(o,f),target:e,start:a,end:d,size:t,getData:c}),o=f,a=d}return a<e.length&&P_({source:[],target:e,start:a,size:t,getData:c}),e}function FA(r){let{device:e,settings:t,value:n}=r,i=new Ws(e,t);return i.setData({value:n instanceof Float64Array?new Float64Array(0):new Float32Array(0),normalized:t.normalized}),i}function Ih(r){switch(r){case 1:return"float";case 2:return"vec2";case 3:return"vec3";case 4:return"vec4";default:throw new Error(`No defined attribute type for size "${r}"`)}}function Bh(r){switch(r){case 1:return"float32";case 2:return"float32x2";case 3:return"float32x3";case 4:return"float32x4";default:throw new Error("invalid type size")}}function kh(r){r.push(r.shift())}function UA(r,e){let{settings:t,value:n,size:i}=r,s=r.isDoublePrecisionBuffer?2:1,o=0,{shaderAttributes:a}=r.settings;if(a)for(let c of Object.values(a))o=Math.max(o,c.vertexOffset??0);return(t.noAlloc?n.length:(e+o)*i)*s}function Oh({device:r,source:e,target:t}){return(!t||t.byteLength<e.byteLength)&&(t?.destroy(),t=r.createBuffer({byteLength:e.byteLength,usage:e.usage})),t}function Dh({device:r,buffer:e,attribute:t,fromLength:n,toLength:i,fromStartIndices:s,getData:o=a=>a}){let a=t.isDoublePrecisionBuffer?2:1,c=t.size*a,l=t.byteOffset,u=t.settings.bytesPerElement<4?l/t.settings.bytesPerElement*4:l,f=t.startIndices,d=s&&f,h=t.isConstant;if(!d&&e&&n>=i)return e;let p=t.value instanceof Float64Array?Float32Array:t.value.constructor,m=h?t.value:new p(t.getBuffer().readSyncWebGL(l,i*p.BYTES_PER_ELEMENT).buffer);if(t.settings.normalized&&!h){let x=o;o=(E,T)=>t.normalizeConstant(x(E,T))}let b=h?(x,E)=>o(m,E):(x,E)=>o(m.subarray(x+l,x+l+c),E),w=e?new Float32Array(e.readSyncWebGL(u,n*4).buffer):new Float32Array(0),_=new Float32Array(i);return NA({source:w,target:_,sourceStartIndices:s,targetStartIndices:f,size:c,getData:b}),(!e||e.byteLength<_.byteLength+u)&&(e?.destroy(),e=r.createBuffer({byteLength:_.byteLength+u,usage:35050})),e.write(_,u),e}var Ia=class{constructor({device:e,attribute:t,timeline:n}){this.buffers=[],this.currentLength=0,this.device=e,this.transition=new Kr(n),this.attribute=t,this.attributeInTransition=FA(t),this.currentStartIndices=t.startIndices}get inProgress(){return this.transition.inProgress}start(e,t,n=1/0){this.settings=e,this.currentStartIndices=this.attribute.startIndices,this.currentLength=UA(this.attribute,t),this.transition.start({...e,duration:n})}update(){let e=this.transition.update();return e&&this.onUpdate(),e}setBuffer(e){let{stride:t}=this.attributeInTransition.getAccessor();this.attributeInTransition.setData({buffer:e,normalized:this.attribute.settings.normalized,value:this.attributeInTransition.value,stride:t})}cancel(){this.transition.cancel()}delete(){this.cancel();for(let e of this.buffers)e.destroy();this.buffers.length=0}};var jl=class extends Ia{constructor({device:e,attribute:t,timeline:n}){super({device:e,attribute:t,timeline:n}),this.type="interpolation",this.transform=l$(e,t)}start(e,t){let n=this.currentLength,i=this.currentStartIndices;if(super.start(e,t,e.duration),e.duration<=0){this.transition.cancel();return}let{buffers:s,attribute:o}=this;kh(s),s[0]=Dh({device:this.device,buffer:s[0],attribute:o,fromLength:n,toLength:this.currentLength,fromStartIndices:i,getData:e.enter}),s[1]=Oh({device:this.device,source:s[0],target:s[1]}),this.setBuffer(s[1]);let{transform:a}=this,c=a.model,l=Math.floor(this.currentLength/o.size);GA(o)&&(l/=2),c.setVertexCount(l),o.isConstant?(c.setAttributes({aFrom:s[0]}),c.setConstantAttributes({aTo:o.value})):c.setAttributes({aFrom:s[0],aTo:o.getBuffer()}),a.transformFeedback.setBuffers({vCurrent:s[1]})}onUpdate(){let{duration:e,easing:t}=this.settings,{time:n}=this.transition,i=n/e;t&&(i=t(i));let{model:s}=this.transform,o={time:i};s.shaderInputs.setProps({interpolation:o}),this.transform.run({discard:!0})}delete(){super.delete(),this.transform.destroy()}},o$=`layout(std140) uniform interpolationUniforms {
  float time;
} interpolation;
`,zA={name:"interpolation",vs:o$,uniformTypes:{time:"f32"}},a$=`#version 300 es
#define SHADER_NAME interpolation-transition-vertex-shader

in ATTRIBUTE_TYPE aFrom;
in ATTRIBUTE_TYPE aTo;
out ATTRIBUTE_TYPE vCurrent;

void main(void) {
  vCurrent = mix(aFrom, aTo, interpolation.time);
  gl_Position = vec4(0.0);
}
`,c$=`#version 300 es
#define SHADER_NAME interpolation-transition-vertex-shader

in ATTRIBUTE_TYPE aFrom;
in ATTRIBUTE_TYPE aFrom64Low;
in ATTRIBUTE_TYPE aTo;
in ATTRIBUTE_TYPE aTo64Low;
out ATTRIBUTE_TYPE vCurrent;
out ATTRIBUTE_TYPE vCurrent64Low;

vec2 mix_fp64(vec2 a, vec2 b, float x) {
  vec2 range = sub_fp64(b, a);
  return sum_fp64(a, mul_fp64(range, vec2(x, 0.0)));
}

void main(void) {
  for (int i=0; i<ATTRIBUTE_SIZE; i++) {
    vec2 value = mix_fp64(vec2(aFrom[i], aFrom64Low[i]), vec2(aTo[i], aTo64Low[i]), interpolation.time);
    vCurrent[i] = value.x;
    vCurrent64Low[i] = value.y;
  }
  gl_Position = vec4(0.0);
}
`;function GA(r){return r.isDoublePrecisionBuffer}function l$(r,e){let t=e.size,n=Ih(t),i=Bh(t),s=e.getBufferLayout();return GA(e)?new St(r,{vs:c$,bufferLayout:[{name:"aFrom",byteStride:8*t,attributes:[{attribute:"aFrom",format:i,byteOffset:0},{attribute:"aFrom64Low",format:i,byteOffset:4*t}]},{name:"aTo",byteStride:8*t,attributes:[{attribute:"aTo",format:i,byteOffset:0},{attribute:"aTo64Low",format:i,byteOffset:4*t}]}],modules:[kb,zA],defines:{ATTRIBUTE_TYPE:n,ATTRIBUTE_SIZE:t},moduleSettings:{},varyings:["vCurrent","vCurrent64Low"],bufferMode:35980,disableWarnings:!0}):new St(r,{vs:a$,bufferLayout:[{name:"aFrom",format:i},{name:"aTo",format:s.attributes[0].format}],modules:[zA],defines:{ATTRIBUTE_TYPE:n},varyings:["vCurrent"],disableWarnings:!0})}He();var Hl=class extends Ia{constructor({device:e,attribute:t,timeline:n}){super({device:e,attribute:t,timeline:n}),this.type="spring",this.texture=m$(e),this.framebuffer=g$(e,this.texture),this.transform=p$(e,t)}start(e,t){let n=this.currentLength,i=this.currentStartIndices;super.start(e,t);let{buffers:s,attribute:o}=this;for(let c=0;c<2;c++)s[c]=Dh({device:this.device,buffer:s[c],attribute:o,fromLength:n,toLength:this.currentLength,fromStartIndices:i,getData:e.enter});s[2]=Oh({device:this.device,source:s[0],target:s[2]}),this.setBuffer(s[1]);let{model:a}=this.transform;a.setVertexCount(Math.floor(this.currentLength/o.size)),o.isConstant?a.setConstantAttributes({aTo:o.value}):a.setAttributes({aTo:o.getBuffer()})}onUpdate(){let{buffers:e,transform:t,framebuffer:n,transition:i}=this,s=this.settings;t.model.setAttributes({aPrev:e[0],aCur:e[1]}),t.transformFeedback.setBuffers({vNext:e[2]});let o={stiffness:s.stiffness,damping:s.damping};t.model.shaderInputs.setProps({spring:o}),t.run({framebuffer:n,discard:!1,parameters:{viewport:[0,0,1,1]},clearColor:[0,0,0,0]}),kh(e),this.setBuffer(e[1]),this.device.readPixelsToArrayWebGL(n)[0]>0||i.end()}delete(){super.delete(),this.transform.destroy(),this.texture.destroy(),this.framebuffer.destroy()}},u$=`layout(std140) uniform springUniforms {
  float damping;
  float stiffness;
} spring;
`,f$={name:"spring",vs:u$,uniformTypes:{damping:"f32",stiffness:"f32"}},d$=`#version 300 es
#define SHADER_NAME spring-transition-vertex-shader

#define EPSILON 0.00001

in ATTRIBUTE_TYPE aPrev;
in ATTRIBUTE_TYPE aCur;
in ATTRIBUTE_TYPE aTo;
out ATTRIBUTE_TYPE vNext;
out float vIsTransitioningFlag;

ATTRIBUTE_TYPE getNextValue(ATTRIBUTE_TYPE cur, ATTRIBUTE_TYPE prev, ATTRIBUTE_TYPE dest) {
  ATTRIBUTE_TYPE velocity = cur - prev;
  ATTRIBUTE_TYPE delta = dest - cur;
  ATTRIBUTE_TYPE force = delta * spring.stiffness;
  ATTRIBUTE_TYPE resistance = velocity * spring.damping;
  return force - resistance + velocity + cur;
}

void main(void) {
  bool isTransitioning = length(aCur - aPrev) > EPSILON || length(aTo - aCur) > EPSILON;
  vIsTransitioningFlag = isTransitioning ? 1.0 : 0.0;

  vNext = getNextValue(aCur, aPrev, aTo);
  gl_Position = vec4(0, 0, 0, 1);
  gl_PointSize = 100.0;
}
`,h$=`#version 300 es
#define SHADER_NAME spring-transition-is-transitioning-fragment-shader

in float vIsTransitioningFlag;

out vec4 fragColor;

void main(void) {
  if (vIsTransitioningFlag == 0.0) {
    discard;
  }
  fragColor = vec4(1.0);
}`;function p$(r,e){let t=Ih(e.size),n=Bh(e.size);return new St(r,{vs:d$,fs:h$,bufferLayout:[{name:"aPrev",format:n},{name:"aCur",format:n},{name:"aTo",format:e.getBufferLayout().attributes[0].format}],varyings:["vNext"],modules:[f$],defines:{ATTRIBUTE_TYPE:t},parameters:{depthCompare:"always",blendColorOperation:"max",blendColorSrcFactor:"one",blendColorDstFactor:"one",blendAlphaOperation:"max",blendAlphaSrcFactor:"one",blendAlphaDstFactor:"one"}})}function m$(r){return r.createTexture({data:new Uint8Array(4),format:"rgba8unorm",width:1,height:1})}function g$(r,e){return r.createFramebuffer({id:"spring-transition-is-transitioning-framebuffer",width:1,height:1,colorAttachments:[e]})}var b$={interpolation:jl,spring:Hl},Yl=class{constructor(e,{id:t,timeline:n}){if(!e)throw new Error("AttributeTransitionManager is constructed without device");this.id=t,this.device=e,this.timeline=n,this.transitions={},this.needsRedraw=!1,this.numInstances=1}finalize(){for(let e in this.transitions)this._removeTransition(e)}update({attributes:e,transitions:t,numInstances:n}){this.numInstances=n||1;for(let i in e){let s=e[i],o=s.getTransitionSetting(t);o&&this._updateAttribute(i,s,o)}for(let i in this.transitions){let s=e[i];(!s||!s.getTransitionSetting(t))&&this._removeTransition(i)}}hasAttribute(e){let t=this.transitions[e];return t&&t.inProgress}getAttributes(){let e={};for(let t in this.transitions){let n=this.transitions[t];n.inProgress&&(e[t]=n.attributeInTransition)}return e}run(){if(this.numInstances===0)return!1;for(let t in this.transitions)this.transitions[t].update()&&(this.needsRedraw=!0);let e=this.needsRedraw;return this.needsRedraw=!1,e}_removeTransition(e){this.transitions[e].delete(),delete this.transitions[e]}_updateAttribute(e,t,n){let i=this.transitions[e],s=!i||i.type!==n.type;if(s){i&&this._removeTransition(e);let o=b$[n.type];o?this.transitions[e]=new o({attribute:t,timeline:this.timeline,device:this.device}):(ie.error(`unsupported transition type '${n.type}'`)(),s=!1)}(s||t.needsRedraw())&&(this.needsRedraw=!0,this.transitions[e].start(n,this.numInstances))}};var $A="attributeManager.invalidate",y$="attributeManager.updateStart",_$="attributeManager.updateEnd",x$="attribute.updateStart",w$="attribute.allocate",v$="attribute.updateEnd",ql=class{constructor(e,{id:t="attribute-manager",stats:n,timeline:i}={}){this.mergeBoundsMemoized=Sn(RS),this.id=t,this.device=e,this.attributes={},this.updateTriggers={},this.needsRedraw=!0,this.userData={},this.stats=n,this.attributeTransitionManager=new Yl(e,{id:`${t}-transitions`,timeline:i}),this.attributeBufferGroups=e.type==="webgpu"?new Wl(e,{id:t,isTransitionAttribute:s=>this.attributeTransitionManager.hasAttribute(s)}):null,Object.seal(this)}finalize(){this.attributeBufferGroups?.finalize();for(let e in this.attributes)this.attributes[e].delete();this.attributeTransitionManager.finalize()}getNeedsRedraw(e={clearRedrawFlags:!1}){let t=this.needsRedraw;return this.needsRedraw=this.needsRedraw&&!e.clearRedrawFlags,t&&this.id}setNeedsRedraw(){this.needsRedraw=!0}add(e){this._add(e)}addInstanced(e){this._add(e,{stepMode:"instance"})}remove(e){for(let t of e)this.attributes[t]!==void 0&&(this.attributes[t].delete(),delete this.attributes[t])}invalidate(e,t){let n=this._invalidateTrigger(e,t);Ke($A,this,e,n)}invalidateAll(e){for(let t in this.attributes)this.attributes[t].setNeedsUpdate(t,e);Ke($A,this,"all")}update({data:e,numInstances:t,startIndices:n=null,transitions:i,props:s={},buffers:o={},context:a={}}){let c=!1;Ke(y$,this),this.stats&&this.stats.get("Update Attributes").timeStart();for(let l in this.attributes){let u=this.attributes[l],f=u.settings.accessor;u.startIndices=n,u.numInstances=t,s[l]&&ie.removed(`props.${l}`,`data.attributes.${l}`)(),u.setExternalBuffer(o[l])||u.setBinaryValue(typeof f=="string"?o[f]:void 0,e.startIndices)||typeof f=="string"&&!o[f]&&u.setConstantValue(a,s[f])||u.needsUpdate()&&(c=!0,this._updateAttribute({attribute:u,numInstances:t,data:e,props:s,context:a})),this.needsRedraw=this.needsRedraw||u.needsRedraw()}c&&Ke(_$,this,t),this.stats&&(this.stats.get("Update Attributes").timeEnd(),c&&this.stats.get("Attributes updated").incrementCount()),this.attributeTransitionManager.update({attributes:this.attributes,numInstances:t,transitions:i})}updateTransition(){let{attributeTransitionManager:e}=this,t=e.run();return this.needsRedraw=this.needsRedraw||t,t}getAttributes(){return{...this.attributes,...this.attributeTransitionManager.getAttributes()}}getBounds(e){let t=e.map(n=>this.attributes[n]?.getBounds());return this.mergeBoundsMemoized(t)}getChangedAttributes(e={clearChangedFlags:!1}){let{attributes:t,attributeTransitionManager:n}=this,i={...n.getAttributes()};for(let s in t){let o=t[s];o.needsRedraw(e)&&!n.hasAttribute(s)&&(i[s]=o)}return i}getBufferLayouts(e){return this.hasBufferGroups()?this.attributeBufferGroups.getBufferLayouts(this.getAttributes(),e):Object.values(this.getAttributes()).map(t=>t.getBufferLayout(e))}hasBufferGroups(){return!!this.attributeBufferGroups?.hasGroups(this.attributes)}getBufferGroupBindings(e,t,n={}){return this.attributeBufferGroups?this.attributeBufferGroups.getBindings(this.getAttributes(),e,t,n):{bufferLayouts:this.getBufferLayouts(t),buffers:{},groupedAttributeIds:new Set}}_add(e,t){for(let n in e){let i=e[n],s={...i,id:n,size:i.isIndexed&&1||i.size||1,...t};this.attributes[n]=new Ws(this.device,s)}this._mapUpdateTriggersToAttributes()}_mapUpdateTriggersToAttributes(){let e={};for(let t in this.attributes)this.attributes[t].getUpdateTriggers().forEach(i=>{e[i]||(e[i]=[]),e[i].push(t)});this.updateTriggers=e}_invalidateTrigger(e,t){let{attributes:n,updateTriggers:i}=this,s=i[e];return s&&s.forEach(o=>{let a=n[o];a&&a.setNeedsUpdate(a.id,t)}),s}_updateAttribute(e){let{attribute:t,numInstances:n}=e;if(Ke(x$,t),t.constant){t.setConstantValue(e.context,t.value);return}t.allocate(n)&&Ke(w$,t,n),t.updateBuffer(e)&&(this.needsRedraw=!0,Ke(v$,t,n))}};J();ch();st();var Xl=class extends Kr{get value(){return this._value}_onUpdate(){let{time:e,settings:{fromValue:t,toValue:n,duration:i,easing:s}}=this,o=s(e/i);this._value=jr(t,n,o)}};var VA=1e-5;function WA(r,e,t,n,i){let s=e-r,a=(t-e)*i,c=-s*n;return a+c+s+e}function E$(r,e,t,n,i){if(Array.isArray(t)){let s=[];for(let o=0;o<t.length;o++)s[o]=WA(r[o],e[o],t[o],n,i);return s}return WA(r,e,t,n,i)}function jA(r,e){if(Array.isArray(r)){let t=0;for(let n=0;n<r.length;n++){let i=r[n]-e[n];t+=i*i}return Math.sqrt(t)}return Math.abs(r-e)}var Zl=class extends Kr{get value(){return this._currValue}_onUpdate(){let{fromValue:e,toValue:t,damping:n,stiffness:i}=this.settings,{_prevValue:s=e,_currValue:o=e}=this,a=E$(s,o,t,n,i),c=jA(a,t),l=jA(a,o);c<VA&&l<VA&&(a=t,this.end()),this._prevValue=o,this._currValue=a}};var S$={interpolation:Xl,spring:Zl},Kl=class{constructor(e){this.transitions=new Map,this.timeline=e}get active(){return this.transitions.size>0}add(e,t,n,i){let{transitions:s}=this;if(s.has(e)){let c=s.get(e),{value:l=c.settings.fromValue}=c;t=l,this.remove(e)}if(i=hh(i),!i)return;let o=S$[i.type];if(!o){ie.error(`unsupported transition type '${i.type}'`)();return}let a=new o(this.timeline);a.start({...i,fromValue:t,toValue:n}),s.set(e,a)}remove(e){let{transitions:t}=this;t.has(e)&&(t.get(e).cancel(),t.delete(e))}update(){let e={};for(let[t,n]of this.transitions)n.update(),e[t]=n.value,n.inProgress||this.remove(t);return e}clear(){for(let e of this.transitions.keys())this.remove(e)}};function YA(r){let e=r[Ln];for(let t in e){let n=e[t],{validate:i}=n;if(i&&!i(r[t],n))throw new Error(`Invalid prop ${t}: ${r[t]}`)}}function qA(r,e){let t=XA({newProps:r,oldProps:e,propTypes:r[Ln],ignoreProps:{data:null,updateTriggers:null,extensions:null,transitions:null}}),n=P$(r,e),i=!1;return n||(i=A$(r,e)),{dataChanged:n,propsChanged:t,updateTriggersChanged:i,extensionsChanged:L$(r,e),transitionsChanged:T$(r,e)}}function T$(r,e){if(!r.transitions)return!1;let t={},n=r[Ln],i=!1;for(let s in r.transitions){let o=n[s],a=o&&o.type;(a==="number"||a==="color"||a==="array")&&A_(r[s],e[s],o)&&(t[s]=!0,i=!0)}return i?t:!1}function XA({newProps:r,oldProps:e,ignoreProps:t={},propTypes:n={},triggerName:i="props"}){if(e===r)return!1;if(typeof r!="object"||r===null)return`${i} changed shallowly`;if(typeof e!="object"||e===null)return`${i} changed shallowly`;for(let s of Object.keys(r))if(!(s in t)){if(!(s in e))return`${i}.${s} added`;let o=A_(r[s],e[s],n[s]);if(o)return`${i}.${s} ${o}`}for(let s of Object.keys(e))if(!(s in t)){if(!(s in r))return`${i}.${s} dropped`;if(!Object.hasOwnProperty.call(r,s)){let o=A_(r[s],e[s],n[s]);if(o)return`${i}.${s} ${o}`}}return!1}function A_(r,e,t){let n=t&&t.equal;return n&&!n(r,e,t)||!n&&(n=r&&e&&r.equals,n&&!n.call(r,e))?"changed deeply":!n&&e!==r?"changed shallowly":null}function P$(r,e){if(e===null)return"oldProps is null, initial diff";let t=!1,{dataComparator:n,_dataDiff:i}=r;return n?n(r.data,e.data)||(t="Data comparator detected a change"):r.data!==e.data&&(t="A new data container was supplied"),t&&i&&(t=i(r.data,e.data)||t),t}function A$(r,e){if(e===null)return{all:!0};if("all"in r.updateTriggers&&HA(r,e,"all"))return{all:!0};let t={},n=!1;for(let i in r.updateTriggers)i!=="all"&&HA(r,e,i)&&(t[i]=!0,n=!0);return n?t:!1}function L$(r,e){if(e===null)return!0;let t=e.extensions,{extensions:n}=r;if(n===t)return!1;if(!t||!n||n.length!==t.length)return!0;for(let i=0;i<n.length;i++)if(!n[i].equals(t[i]))return!0;return!1}function HA(r,e,t){let n=r.updateTriggers[t];n=n??{};let i=e.updateTriggers[t];return i=i??{},XA({oldProps:i,newProps:n,triggerName:t})}var M$="count(): argument not an object",C$="count(): argument not a container";function ZA(r){if(!I$(r))throw new Error(M$);if(typeof r.count=="function")return r.count();if(Number.isFinite(r.size))return r.size;if(Number.isFinite(r.length))return r.length;if(R$(r))return Object.keys(r).length;throw new Error(C$)}function R$(r){return r!==null&&typeof r=="object"&&r.constructor===Object}function I$(r){return r!==null&&typeof r=="object"}function L_(r,e){if(!e)return r;let t={...r,...e};if("defines"in e&&(t.defines={...r.defines,...e.defines}),"modules"in e&&(t.modules=(r.modules||[]).concat(e.modules),e.modules.some(n=>n.name==="project64"))){let n=t.modules.findIndex(i=>i.name==="project32");n>=0&&t.modules.splice(n,1)}if("inject"in e)if(!r.inject)t.inject=e.inject;else{let n={...r.inject};for(let i in e.inject)n[i]=(n[i]||"")+e.inject[i];t.inject=n}return t}J();var B$={minFilter:"linear",mipmapFilter:"linear",magFilter:"linear",addressModeU:"clamp-to-edge",addressModeV:"clamp-to-edge"},M_={};function KA(r,e,t,n){if(t instanceof de)return t;t.constructor&&t.constructor.name!=="Object"&&(t={data:t});let i=null;t.compressed&&(i={minFilter:"linear",mipmapFilter:t.data.length>1?"nearest":"linear"});let{width:s,height:o}=t.data,a=e.createTexture({...t,sampler:{...B$,...i,...n},mipLevels:e.getMipLevelCount(s,o)});return e.type==="webgl"?a.generateMipmapsWebGL():e.type==="webgpu"&&e.generateMipmapsWebGPU(a),M_[a.id]=r,a}function QA(r,e){!e||!(e instanceof de)||M_[e.id]===r&&(e.delete(),delete M_[e.id])}var k$={boolean:{validate(r,e){return!0},equal(r,e,t){return!!r==!!e}},number:{validate(r,e){return Number.isFinite(r)&&(!("max"in e)||r<=e.max)&&(!("min"in e)||r>=e.min)}},color:{validate(r,e){return e.optional&&!r||C_(r)&&(r.length===3||r.length===4)},equal(r,e,t){return Ve(r,e,1)}},accessor:{validate(r,e){let t=Nh(r);return t==="function"||t===Nh(e.value)},equal(r,e,t){return typeof e=="function"?!0:Ve(r,e,1)}},array:{validate(r,e){return e.optional&&!r||C_(r)},equal(r,e,t){let{compare:n}=t,i=Number.isInteger(n)?n:n?1:0;return n?Ve(r,e,i):r===e}},object:{equal(r,e,t){if(t.ignore)return!0;let{compare:n}=t,i=Number.isInteger(n)?n:n?1:0;return n?Ve(r,e,i):r===e}},function:{validate(r,e){return e.optional&&!r||typeof r=="function"},equal(r,e,t){return!t.compare&&t.ignore!==!1||r===e}},data:{transform:(r,e,t)=>{if(!r)return r;let{dataTransform:n}=t.props;return n?n(r):typeof r.shape=="string"&&r.shape.endsWith("-table")&&Array.isArray(r.data)?r.data:r}},image:{transform:(r,e,t)=>{let n=t.context;return!n||!n.device?null:KA(t.id,n.device,r,{...e.parameters,...t.props.textureParameters})},release:(r,e,t)=>{QA(t.id,r)}}};function JA(r){let e={},t={},n={};for(let[i,s]of Object.entries(r)){let o=s?.deprecatedFor;if(o)n[i]=Array.isArray(o)?o:[o];else{let a=O$(i,s);e[i]=a,t[i]=a.value}}return{propTypes:e,defaultProps:t,deprecatedProps:n}}function O$(r,e){switch(Nh(e)){case"object":return Ql(r,e);case"array":return Ql(r,{type:"array",value:e,compare:!1});case"boolean":return Ql(r,{type:"boolean",value:e});case"number":return Ql(r,{type:"number",value:e});case"function":return Ql(r,{type:"function",value:e,compare:!0});default:return{name:r,type:"unknown",value:e}}}function Ql(r,e){return"type"in e?{name:r,...k$[e.type],...e}:"value"in e?{name:r,type:Nh(e.value),...e}:{name:r,type:"object",value:e}}function C_(r){return Array.isArray(r)||ArrayBuffer.isView(r)}function Nh(r){return C_(r)?"array":r===null?"null":typeof r}function eL(r,e){let t;for(let s=e.length-1;s>=0;s--){let o=e[s];"extensions"in o&&(t=o.extensions)}let n=R_(r.constructor,t),i=Object.create(n);i[ga]=r,i[Mn]={},i[Zr]={};for(let s=0;s<e.length;++s){let o=e[s];for(let a in o)i[a]=o[a]}return Object.freeze(i),i}var D$="_mergedDefaultProps";function R_(r,e){if(!(r instanceof Fh.constructor))return{};let t=D$;if(e)for(let i of e){let s=i.constructor;s&&(t+=`:${s.extensionName||s.name}`)}let n=tL(r,t);return n||(r[t]=N$(r,e||[]))}function N$(r,e){if(!r.prototype)return null;let n=Object.getPrototypeOf(r),i=R_(n),s=tL(r,"defaultProps")||{},o=JA(s),a=Object.assign(Object.create(null),i,o.defaultProps),c=Object.assign(Object.create(null),i?.[Ln],o.propTypes),l=Object.assign(Object.create(null),i?.[Sd],o.deprecatedProps);for(let u of e){let f=R_(u.constructor);f&&(Object.assign(a,f),Object.assign(c,f[Ln]),Object.assign(l,f[Sd]))}return F$(a,r),z$(a,c),U$(a,l),a[Ln]=c,a[Sd]=l,e.length===0&&!I_(r,"_propTypes")&&(r._propTypes=c),a}function F$(r,e){let t=$$(e);Object.defineProperties(r,{id:{writable:!0,value:t}})}function U$(r,e){for(let t in e)Object.defineProperty(r,t,{enumerable:!1,set(n){let i=`${this.id}: ${t}`;for(let s of e[t])I_(this,s)||(this[s]=n);ie.deprecated(i,e[t].join("/"))()}})}function z$(r,e){let t={},n={};for(let i in e){let s=e[i],{name:o,value:a}=s;s.async&&(t[o]=a,n[o]=G$(o))}r[Qn]=t,r[Mn]={},Object.defineProperties(r,n)}function G$(r){return{enumerable:!0,set(e){typeof e=="string"||e instanceof Promise||dh(e)?this[Mn][r]=e:this[Zr][r]=e},get(){if(this[Zr]){if(r in this[Zr])return this[Zr][r]||this[Qn][r];if(r in this[Mn]){let e=this[ga]&&this[ga].internalState;if(e&&e.hasAsyncProp(r))return e.getAsyncProp(r)||this[Qn][r]}}return this[Qn][r]}}}function I_(r,e){return Object.prototype.hasOwnProperty.call(r,e)}function tL(r,e){return I_(r,e)&&r[e]}function $$(r){let e=r.componentName;return e||ie.warn(`${r.name}.componentName not specified`)(),e||r.name}var V$=0,Jl=class{constructor(...e){this.props=eL(this,e),this.id=this.props.id,this.count=V$++}clone(e){let{props:t}=this,n={};for(let i in t[Qn])i in t[Zr]?n[i]=t[Zr][i]:i in t[Mn]&&(n[i]=t[Mn][i]);return new this.constructor({...t,...n,...e})}};Jl.componentName="Component";Jl.defaultProps={};var Fh=Jl;var W$=Object.freeze({}),eu=class{constructor(e){this.component=e,this.asyncProps={},this.onAsyncPropUpdated=()=>{},this.oldProps=null,this.oldAsyncProps=null}finalize(){for(let e in this.asyncProps){let t=this.asyncProps[e];t&&t.type&&t.type.release&&t.type.release(t.resolvedValue,t.type,this.component)}this.asyncProps={},this.component=null,this.resetOldProps()}getOldProps(){return this.oldAsyncProps||this.oldProps||W$}resetOldProps(){this.oldAsyncProps=null,this.oldProps=this.component?this.component.props:null}hasAsyncProp(e){return e in this.asyncProps}getAsyncProp(e){let t=this.asyncProps[e];return t&&t.resolvedValue}isAsyncPropLoading(e){if(e){let t=this.asyncProps[e];return!!(t&&t.pendingLoadCount>0&&t.pendingLoadCount!==t.resolvedLoadCount)}for(let t in this.asyncProps)if(this.isAsyncPropLoading(t))return!0;return!1}reloadAsyncProp(e,t){this._watchPromise(e,Promise.resolve(t))}setAsyncProps(e){this.component=e[ga]||this.component;let t=e[Zr]||{},n=e[Mn]||e,i=e[Qn]||{};for(let s in t){let o=t[s];this._createAsyncPropData(s,i[s]),this._updateAsyncProp(s,o),t[s]=this.getAsyncProp(s)}for(let s in n){let o=n[s];this._createAsyncPropData(s,i[s]),this._updateAsyncProp(s,o)}}_fetch(e,t){return null}_onResolve(e,t){}_onError(e,t){}_updateAsyncProp(e,t){if(this._didAsyncInputValueChange(e,t)){if(typeof t=="string"&&(t=this._fetch(e,t)),t instanceof Promise){this._watchPromise(e,t);return}if(dh(t)){this._resolveAsyncIterable(e,t);return}this._setPropValue(e,t)}}_freezeAsyncOldProps(){if(!this.oldAsyncProps&&this.oldProps){this.oldAsyncProps=Object.create(this.oldProps);for(let e in this.asyncProps)Object.defineProperty(this.oldAsyncProps,e,{enumerable:!0,value:this.oldProps[e]})}}_didAsyncInputValueChange(e,t){let n=this.asyncProps[e];return t===n.resolvedValue||t===n.lastValue?!1:(n.lastValue=t,!0)}_setPropValue(e,t){this._freezeAsyncOldProps();let n=this.asyncProps[e];n&&(t=this._postProcessValue(n,t),n.resolvedValue=t,n.pendingLoadCount++,n.resolvedLoadCount=n.pendingLoadCount)}_setAsyncPropValue(e,t,n){let i=this.asyncProps[e];i&&n>=i.resolvedLoadCount&&t!==void 0&&(this._freezeAsyncOldProps(),i.resolvedValue=t,i.resolvedLoadCount=n,this.onAsyncPropUpdated(e,t))}_watchPromise(e,t){let n=this.asyncProps[e];if(n){n.pendingLoadCount++;let i=n.pendingLoadCount;t.then(s=>{this.component&&(s=this._postProcessValue(n,s),this._setAsyncPropValue(e,s,i),this._onResolve(e,s))}).catch(s=>{this._onError(e,s)})}}async _resolveAsyncIterable(e,t){if(e!=="data"){this._setPropValue(e,t);return}let n=this.asyncProps[e];if(!n)return;n.pendingLoadCount++;let i=n.pendingLoadCount,s=[],o=0;for await(let a of t){if(!this.component)return;let{dataTransform:c}=this.component.props;c?s=c(a,s):s=s.concat(a),Object.defineProperty(s,"__diff",{enumerable:!1,value:[{startRow:o,endRow:s.length}]}),o=s.length,this._setAsyncPropValue(e,s,i)}this._onResolve(e,s)}_postProcessValue(e,t){let n=e.type;return n&&this.component&&(n.release&&n.release(e.resolvedValue,n,this.component),n.transform)?n.transform(t,n,this.component):t}_createAsyncPropData(e,t){if(!this.asyncProps[e]){let i=this.component&&this.component.props[Ln];this.asyncProps[e]={type:i&&i[e],lastValue:null,resolvedValue:t,pendingLoadCount:0,resolvedLoadCount:0}}}};var tu=class extends eu{constructor({attributeManager:e,layer:t}){super(t),this.attributeManager=e,this.needsRedraw=!0,this.needsUpdate=!0,this.subLayers=null,this.usesPickingColorCache=!1,this.disabledPickingIndices=[]}get layer(){return this.component}_fetch(e,t){let n=this.layer,i=n?.props.fetch;return i?i(t,{propName:e,layer:n}):super._fetch(e,t)}_onResolve(e,t){let n=this.layer;if(n){let i=n.props.onDataLoad;e==="data"&&i&&i(t,{propName:e,layer:n})}}_onError(e,t){let n=this.layer;n&&n.raiseError(t,`loading ${e} of ${this.layer}`)}};var j$="layer.changeFlag",H$="layer.initialize",Y$="layer.update",q$="layer.finalize",X$="layer.matched",rL=2**24-1,Z$=Object.freeze([]),K$=Sn(({oldViewport:r,viewport:e})=>r.equals(e)),Or=new Uint8ClampedArray(0);function nL(r){return r.rowIndexes||r.pickingColors||r.instancePickingColors}function B_(r){return r.rowIndexes}function k_(r){return r.pickingColors||r.instancePickingColors}var Q$={data:{type:"data",value:Z$,async:!0},dataComparator:{type:"function",value:null,optional:!0},_dataDiff:{type:"function",value:r=>r&&r.__diff,optional:!0},dataTransform:{type:"function",value:null,optional:!0},onDataLoad:{type:"function",value:null,optional:!0},onError:{type:"function",value:null,optional:!0},fetch:{type:"function",value:(r,{propName:e,layer:t,loaders:n,loadOptions:i,signal:s})=>{let{resourceManager:o}=t.context;i=i||t.getLoadOptions(),n=n||t.props.loaders,s&&(i={...i,core:{...i?.core,fetch:{...i?.core?.fetch,signal:s}}});let a=o.contains(r);return!a&&!i&&(o.add({resourceId:r,data:ko(r,n),persistent:!1}),a=!0),a?o.subscribe({resourceId:r,onChange:c=>t.internalState?.reloadAsyncProp(e,c),consumerId:t.id,requestId:e}):ko(r,n,i)}},updateTriggers:{},visible:!0,pickable:!1,opacity:{type:"number",min:0,max:1,value:1},operation:"draw",onHover:{type:"function",value:null,optional:!0},onClick:{type:"function",value:null,optional:!0},onDragStart:{type:"function",value:null,optional:!0},onDrag:{type:"function",value:null,optional:!0},onDragEnd:{type:"function",value:null,optional:!0},coordinateSystem:"default",coordinateOrigin:{type:"array",value:[0,0,0],compare:!0},modelMatrix:{type:"array",value:null,compare:!0,optional:!0},wrapLongitude:!1,positionFormat:"XYZ",colorFormat:"RGBA",parameters:{type:"object",value:{},optional:!0,compare:2},loadOptions:{type:"object",value:null,optional:!0,ignore:!0},transitions:null,extensions:[],loaders:{type:"array",value:[],optional:!0,ignore:!0},getPolygonOffset:{type:"function",value:({layerIndex:r})=>[0,-r*100]},highlightedObjectIndex:null,autoHighlight:!1,highlightColor:{type:"accessor",value:[0,0,128,128]}},ru=class extends Fh{constructor(){super(...arguments),this.internalState=null,this.lifecycle=Ii.NO_STATE,this.parent=null}static get componentName(){return Object.prototype.hasOwnProperty.call(this,"layerName")?this.layerName:""}get root(){let e=this;for(;e.parent;)e=e.parent;return e}toString(){return`${this.constructor.layerName||this.constructor.name}({id: '${this.props.id}'})`}project(e){be(this.internalState);let t=this.internalState.viewport||this.context.viewport,n=xd(e,{viewport:t,modelMatrix:this.props.modelMatrix,coordinateOrigin:this.props.coordinateOrigin,coordinateSystem:this.props.coordinateSystem}),[i,s,o]=Ci(n,t.pixelProjectionMatrix);return e.length===2?[i,s]:[i,s,o]}unproject(e){return be(this.internalState),(this.internalState.viewport||this.context.viewport).unproject(e)}projectPosition(e,t){be(this.internalState);let n=this.internalState.viewport||this.context.viewport;return kS(e,{viewport:n,modelMatrix:this.props.modelMatrix,coordinateOrigin:this.props.coordinateOrigin,coordinateSystem:this.props.coordinateSystem,...t})}get isComposite(){return!1}get isDrawable(){return!0}setState(e){this.setChangeFlags({stateChanged:!0}),Object.assign(this.state,e),this.setNeedsRedraw()}setNeedsRedraw(){this.internalState&&(this.internalState.needsRedraw=!0)}setNeedsUpdate(){this.internalState&&(this.context.layerManager.setNeedsUpdate(String(this)),this.internalState.needsUpdate=!0)}get isLoaded(){return this.internalState?!this.internalState.isAsyncPropLoading():!1}get wrapLongitude(){return this.props.wrapLongitude}isPickable(){return this.props.pickable&&this.props.visible}getModels(){let e=this.state;return e&&(e.models||e.model&&[e.model])||[]}setShaderModuleProps(...e){for(let t of this.getModels())t.shaderInputs.setProps(...e)}getAttributeManager(){return this.internalState&&this.internalState.attributeManager}getCurrentLayer(){return this.internalState&&this.internalState.layer}getLoadOptions(){return this.props.loadOptions}use64bitPositions(){let{coordinateSystem:e}=this.props;return e==="default"||e==="lnglat"||e==="cartesian"}onHover(e,t){return this.props.onHover&&this.props.onHover(e,t)||!1}onClick(e,t){return this.props.onClick&&this.props.onClick(e,t)||!1}nullPickingColor(){return[0,0,0]}encodePickingColor(e,t=[]){return t[0]=e+1&255,t[1]=e+1>>8&255,t[2]=e+1>>8>>8&255,t}decodePickingColor(e){be(e instanceof Uint8Array);let[t,n,i]=e;return t+n*256+i*65536-1}getNumInstances(){return Number.isFinite(this.props.numInstances)?this.props.numInstances:this.state&&this.state.numInstances!==void 0?this.state.numInstances:ZA(this.props.data)}getStartIndices(){return this.props.startIndices?this.props.startIndices:this.state&&this.state.startIndices?this.state.startIndices:null}getBounds(){return this.getAttributeManager()?.getBounds(["positions","instancePositions"])}getShaders(e){e=L_(e,{disableWarnings:!0,modules:this.context.defaultShaderModules});for(let t of this.props.extensions)e=L_(e,t.getShaders.call(this,t));return e}shouldUpdateState(e){return e.changeFlags.propsOrDataChanged}updateState(e){let t=this.getAttributeManager(),{dataChanged:n}=e.changeFlags;if(n&&t)if(Array.isArray(n))for(let i of n)t.invalidateAll(i);else t.invalidateAll();if(t){let{props:i}=e,s=this.internalState.hasPickingBuffer,o=Number.isInteger(i.highlightedObjectIndex)||!!i.pickable||i.extensions.some(a=>a.getNeedsPickingBuffer.call(this,a));if(s!==o){this.internalState.hasPickingBuffer=o;let a=nL(t.attributes);a&&(o&&a.constant&&(a.constant=!1,t.invalidate(a.id)),!a.value&&!o&&(a.constant=!0,a.value=B_(t.attributes)?[nl]:[0,0,0]))}}}finalizeState(e){for(let n of this.getModels())n.destroy();let t=this.getAttributeManager();t&&t.finalize(),this.context&&this.context.resourceManager.unsubscribe({consumerId:this.id}),this.internalState&&(this.internalState.uniformTransitions.clear(),this.internalState.finalize())}draw(e){for(let t of this.getModels())t.draw(e.renderPass)}getPickingInfo({info:e,mode:t,sourceLayer:n}){let{index:i}=e;return i>=0&&Array.isArray(this.props.data)&&(e.object=this.props.data[i]),e}raiseError(e,t){t&&(e=new Error(`${t}: ${e.message}`,{cause:e})),this.props.onError?.(e)||this.context?.onError?.(e,this)}getNeedsRedraw(e={clearRedrawFlags:!1}){return this._getNeedsRedraw(e)}needsUpdate(){return this.internalState?this.internalState.needsUpdate||this.hasUniformTransition()||this.shouldUpdateState(this._getUpdateParams()):!1}hasUniformTransition(){return this.internalState?.uniformTransitions.active||!1}activateViewport(e){if(!this.internalState)return;let t=this.internalState.viewport;this.internalState.viewport=e,(!t||!K$({oldViewport:t,viewport:e}))&&(this.setChangeFlags({viewportChanged:!0}),this.isComposite?this.needsUpdate()&&this.setNeedsUpdate():this._update())}invalidateAttribute(e="all"){let t=this.getAttributeManager();t&&(e==="all"?t.invalidateAll():t.invalidate(e))}updateAttributes(e){let t=!1;for(let n in e)e[n].layoutChanged()&&(t=!0);for(let n of this.getModels())this._setModelAttributes(n,e,t)}_updateAttributes(){let e=this.getAttributeManager();if(!e)return;let t=this.props,n=this.getNumInstances(),i=this.getStartIndices();e.update({data:t.data,numInstances:n,startIndices:i,props:t,transitions:t.transitions,buffers:t.data.attributes,context:this});let s=e.getChangedAttributes({clearChangedFlags:!0});this.updateAttributes(s)}_updateAttributeTransition(){let e=this.getAttributeManager();e&&e.updateTransition()}_updateUniformTransition(){let{uniformTransitions:e}=this.internalState;if(e.active){let t=e.update(),n=Object.create(this.props);for(let i in t)Object.defineProperty(n,i,{value:t[i]});return n}return this.props}calculateInstancePickingColors(e,{numInstances:t}){if(e.constant)return;let n=Math.floor(Or.length/4);this.internalState.usesPickingColorCache=!0;let i=t>0&&Or[0]===0;if(n<t||i){t>rL&&ie.warn("Layer has too many data objects. Picking might not be able to distinguish all objects.")(),Or=Zn.allocate(Or,t,{size:4,copy:!0,maxCount:Math.max(t,rL)});let s=Math.floor(Or.length/4),o=[0,0,0],a=i?0:n;for(let c=a;c<s;c++)this.encodePickingColor(c,o),Or[c*4+0]=o[0],Or[c*4+1]=o[1],Or[c*4+2]=o[2],Or[c*4+3]=0}e.value=Or.subarray(0,t*4)}_setModelAttributes(e,t,n=!1){if(!Object.keys(t).length)return;let i=this.getAttributeManager();if(i?.hasBufferGroups()){this._setGroupedModelAttributes(e,i,t);return}if(n){let c=this.getAttributeManager();e.setBufferLayout(c.getBufferLayouts(e)),t=c.getAttributes()}let s=e.userData?.excludeAttributes||{},o={},a={};for(let c in t){if(s[c])continue;let l=t[c].getValue();for(let u in l){let f=l[u];f instanceof re?t[c].settings.isIndexed?e.setIndexBuffer(f):o[u]=f:f&&(a[u]=f)}}e.setAttributes(o),e.setConstantAttributes(a)}_setGroupedModelAttributes(e,t,n){let i=e.userData?.excludeAttributes||{},s=t.getBufferGroupBindings(n,e,i);e.setBufferLayout(s.bufferLayouts);let o={...s.buffers},a={},c=t.getAttributes();for(let l in c){if(i[l]||s.groupedAttributeIds.has(l))continue;let u=c[l],f=u.getValue();for(let d in f){let h=f[d];h instanceof re?u.settings.isIndexed?e.setIndexBuffer(h):o[d]=h:h&&(a[d]=h)}}e.setAttributes(o),e.setConstantAttributes(a)}disablePickingIndex(e){let t=this.props.data;if(!("attributes"in t)){this._disablePickingIndex(e);return}let n=this.getAttributeManager().attributes,i=B_(n),s=k_(n),o=i&&t.attributes&&t.attributes[i.id];if(o&&o.value){let c=o.value;for(let l=0;l<t.length;l++){let u=i.getVertexOffset(l);c[u]===e&&this._disablePickingIndex(l)}return}let a=s&&t.attributes&&t.attributes[s.id];if(a&&a.value){let c=a.value,l=this.encodePickingColor(e);for(let u=0;u<t.length;u++){let f=s.getVertexOffset(u);c[f]===l[0]&&c[f+1]===l[1]&&c[f+2]===l[2]&&this._disablePickingIndex(u)}}else this._disablePickingIndex(e)}_disablePickingIndex(e){let t=this.getAttributeManager().attributes,n=B_(t);if(n){let a=n.getVertexOffset(e),c=n.getVertexOffset(e+1),l=new Uint32Array(c-a);l.fill(nl),n.buffer.write(l,a*l.BYTES_PER_ELEMENT);return}let i=k_(t);if(!i){this.internalState&&ES(this.internalState.disabledPickingIndices,e);return}let s=i.getVertexOffset(e),o=i.getVertexOffset(e+1);i.buffer.write(new Uint8Array(o-s),s)}restorePickingColors(){let e=this.getAttributeManager().attributes,t=nL(e);if(!t){this.internalState&&(this.internalState.disabledPickingIndices.length=0);return}let n=k_(e);this.internalState.usesPickingColorCache&&n&&n.value.buffer!==Or.buffer&&(n.value=Or.subarray(0,n.value.length)),t.updateSubBuffer({startOffset:0})}_initialize(){be(!this.internalState),Ke(H$,this);let e=this._getAttributeManager();this.internalState=new tu({attributeManager:e,layer:this}),this._clearChangeFlags(),this.state={},Object.defineProperty(this.state,"attributeManager",{get:()=>(ie.deprecated("layer.state.attributeManager","layer.getAttributeManager()")(),e)}),this.internalState.uniformTransitions=new Kl(this.context.timeline),this.internalState.onAsyncPropUpdated=this._onAsyncPropUpdated.bind(this),this.internalState.setAsyncProps(this.props),this.initializeState(this.context);for(let t of this.props.extensions)t.initializeState.call(this,this.context,t);this.setChangeFlags({dataChanged:"init",propsChanged:"init",viewportChanged:!0,extensionsChanged:!0}),this._update()}_transferState(e){Ke(X$,this,this===e);let{state:t,internalState:n}=e;this!==e&&(this.internalState=n,this.state=t,this.internalState.setAsyncProps(this.props),this._diffProps(this.props,this.internalState.getOldProps()))}_update(){let e=this.needsUpdate();if(Ke(Y$,this,e),!e)return;this.context.stats.get("Layer updates").incrementCount();let t=this.props,n=this.context,i=this.internalState,s=n.viewport,o=this._updateUniformTransition();i.propsInTransition=o,n.viewport=i.viewport||s,this.props=o;try{let a=this._getUpdateParams(),c=this.getModels();if(n.device)this.updateState(a);else try{this.updateState(a)}catch{}for(let u of this.props.extensions)u.updateState.call(this,a,u);this.setNeedsRedraw(),this._updateAttributes();let l=this.getModels()[0]!==c[0];this._postUpdate(a,l)}finally{n.viewport=s,this.props=t,this._clearChangeFlags(),i.needsUpdate=!1,i.resetOldProps()}}_finalize(){Ke(q$,this),this.finalizeState(this.context);for(let e of this.props.extensions)e.finalizeState.call(this,this.context,e)}_drawLayer({renderPass:e,shaderModuleProps:t=null,uniforms:n={},parameters:i={}}){this._updateAttributeTransition();let s=this.props,o=this.context;this.props=this.internalState.propsInTransition||s;try{t&&this.setShaderModuleProps(t);let{getPolygonOffset:a}=this.props,c=a&&a(n)||[0,0];o.device instanceof Oi&&o.device.setParametersWebGL({polygonOffset:c});let l=o.device instanceof Oi?null:J$(i);if(eV(this.getModels(),e,i,l),o.device instanceof Oi)o.device.withParametersWebGL(i,()=>{let u={renderPass:e,shaderModuleProps:t,uniforms:n,parameters:i,context:o};for(let f of this.props.extensions)f.draw.call(this,u,f);this.draw(u)});else{l?.renderPassParameters&&e.setParameters(l.renderPassParameters);let u={renderPass:e,shaderModuleProps:t,uniforms:n,parameters:i,context:o};for(let f of this.props.extensions)f.draw.call(this,u,f);this.draw(u)}}finally{this.props=s}}getChangeFlags(){return this.internalState?.changeFlags}setChangeFlags(e){if(!this.internalState)return;let{changeFlags:t}=this.internalState;for(let i in e)if(e[i]){let s=!1;switch(i){case"dataChanged":let o=e[i],a=t[i];o&&Array.isArray(a)&&(t.dataChanged=Array.isArray(o)?a.concat(o):o,s=!0);default:t[i]||(t[i]=e[i],s=!0)}s&&Ke(j$,this,i,e)}let n=!!(t.dataChanged||t.updateTriggersChanged||t.propsChanged||t.extensionsChanged);t.propsOrDataChanged=n,t.somethingChanged=n||t.viewportChanged||t.stateChanged}_clearChangeFlags(){this.internalState.changeFlags={dataChanged:!1,propsChanged:!1,updateTriggersChanged:!1,viewportChanged:!1,stateChanged:!1,extensionsChanged:!1,propsOrDataChanged:!1,somethingChanged:!1}}_diffProps(e,t){let n=qA(e,t);if(n.updateTriggersChanged)for(let i in n.updateTriggersChanged)n.updateTriggersChanged[i]&&this.invalidateAttribute(i);if(n.transitionsChanged)for(let i in n.transitionsChanged)this.internalState.uniformTransitions.add(i,t[i],e[i],e.transitions?.[i]);return this.setChangeFlags(n)}validateProps(){YA(this.props)}updateAutoHighlight(e){this.props.autoHighlight&&!Number.isInteger(this.props.highlightedObjectIndex)&&this._updateAutoHighlight(e)}_updateAutoHighlight(e){let t={highlightedObjectColor:e.picked?e.color:null},{highlightColor:n}=this.props;e.picked&&typeof n=="function"&&(t.highlightColor=n(e)),this.setShaderModuleProps({picking:t}),this.setNeedsRedraw()}_getAttributeManager(){let e=this.context;return new ql(e.device,{id:this.props.id,stats:e.stats,timeline:e.timeline})}_postUpdate(e,t){let{props:n,oldProps:i}=e,s=this.state.model;s?.isInstanced&&s.setInstanceCount(this.getNumInstances());let{autoHighlight:o,highlightedObjectIndex:a,highlightColor:c}=n;if(t||i.autoHighlight!==o||i.highlightedObjectIndex!==a||i.highlightColor!==c){let l={};Array.isArray(c)&&(l.highlightColor=c),(t||i.autoHighlight!==o||a!==i.highlightedObjectIndex)&&(l.highlightedObjectColor=Number.isFinite(a)&&a>=0?this.encodePickingColor(a):null),this.setShaderModuleProps({picking:l})}}_getUpdateParams(){return{props:this.props,oldProps:this.internalState.getOldProps(),context:this.context,changeFlags:this.internalState.changeFlags}}_getNeedsRedraw(e){if(!this.internalState)return!1;let t=!1;t=t||this.internalState.needsRedraw&&this.id;let n=this.getAttributeManager(),i=n?n.getNeedsRedraw(e):!1;if(t=t||i,t)for(let s of this.props.extensions)s.onNeedsRedraw.call(this,s);return this.internalState.needsRedraw=this.internalState.needsRedraw&&!e.clearRedrawFlags,t}_onAsyncPropUpdated(){this._diffProps(this.props,this.internalState.getOldProps()),this.setNeedsUpdate()}};ru.defaultProps=Q$;ru.layerName="Layer";var Ys=ru;function J$(r){let{blendConstant:e,...t}=r;return e?{pipelineParameters:t,renderPassParameters:{blendConstant:e}}:{pipelineParameters:t}}function eV(r,e,t,n){for(let i of r)i.device.type==="webgpu"?(tV(i,e),i.setParameters({...i.parameters,...n?.pipelineParameters})):i.setParameters(t)}function tV(r,e){let t=e.props.framebuffer||(e.framebuffer??null);if(!t)return;let n=t.colorAttachments.map(o=>o?.texture?.format??null),i=t.depthStencilAttachment?.texture?.format,s=r;(!rV(s.props.colorAttachmentFormats,n)||s.props.depthStencilAttachmentFormat!==i)&&(s.props.colorAttachmentFormats=n,s.props.depthStencilAttachmentFormat=i,s._setPipelineNeedsUpdate("attachment formats"))}function rV(r,e){if(r===e)return!0;if(!r||!e||r.length!==e.length)return!1;for(let t=0;t<r.length;t++)if(r[t]!==e[t])return!1;return!0}st();var nV=new Qe().lookAt({eye:[0,0,1]});function iV({width:r,height:e,near:t,far:n,padding:i}){let s=-r/2,o=r/2,a=-e/2,c=e/2;if(i){let{left:l=0,right:u=0,top:f=0,bottom:d=0}=i,h=Ue((l+r-u)/2,0,r)-r/2,p=Ue((f+e-d)/2,0,e)-e/2;s-=h,o-=h,a+=p,c+=p}return new Qe().ortho({left:s,right:o,bottom:a,top:c,near:t,far:n})}var Uh=class extends ua{constructor(e){let{width:t,height:n,near:i=.1,far:s=1e3,zoom:o=0,target:a=[0,0,0],padding:c=null,flipY:l=!0}=e,u=e.zoomX??(Array.isArray(o)?o[0]:o),f=e.zoomY??(Array.isArray(o)?o[1]:o),d=Number.isFinite(e.zoom)?e.zoom:Math.min(u,f),h=Math.pow(2,d),p;if(u!==d||f!==d){let m=Math.pow(2,u),b=Math.pow(2,f);p={unitsPerMeter:[m/h,b/h,1],metersPerUnit:[h/m,h/b,1]}}super({...e,longitude:void 0,position:a,viewMatrix:nV.clone().scale([h,h*(l?-1:1),h]),projectionMatrix:iV({width:t||1,height:n||1,padding:c,near:i,far:s}),zoom:d,distanceScales:p}),this.target=a,this.zoomX=u,this.zoomY=f,this.flipY=l}projectFlat([e,t]){let{unitsPerMeter:n}=this.distanceScales;return[e*n[0],t*n[1]]}unprojectFlat([e,t]){let{metersPerUnit:n}=this.distanceScales;return[e*n[0],t*n[1]]}panByPosition(e,t,n){let i=Tn(t,this.pixelUnprojectionMatrix),s=this.projectFlat(e),o=Ft.add([],s,Ft.negate([],i)),a=Ft.add([],this.center,o);return{target:this.unprojectFlat(a)}}};Uh.displayName="OrthographicViewport";var iL=Uh;st();var sL=1;function O_({zoom:r=0,zoomX:e,zoomY:t}){return e=e??(Array.isArray(r)?r[0]:r),t=t??(Array.isArray(r)?r[1]:r),{zoomX:e,zoomY:t}}function sV(r,e,t,n,i){let s=r[0][e]+t,o=r[1][e]-n,a=(s+o)/2;return{minimum:s,maximum:o,midpoint:a,settledTarget:Number.isFinite(t)&&Number.isFinite(n)&&s<=o?Ue(i,s,o):a}}var D_=class extends Gs{constructor(e){let{width:t,height:n,target:i=[0,0,0],zoom:s=0,zoomAxis:o="all",minZoom:a=-1/0,maxZoom:c=1/0,minZoomX:l=a,maxZoomX:u=c,minZoomY:f=a,maxZoomY:d=c,maxBounds:h=null,maxBoundsPadding:p=null,rubberBand:m=!1,startPanPosition:b,startZoomPosition:w,startZoom:_}=e,{[Br]:x}=e,{zoomX:E,zoomY:T}=O_(e);super({width:t,height:n,target:i,zoom:s,zoomX:E,zoomY:T,zoomAxis:o,minZoomX:l,maxZoomX:u,minZoomY:f,maxZoomY:d,maxBounds:h,maxBoundsPadding:p,rubberBand:m,[Br]:x},{startPanPosition:b,startZoomPosition:w,startZoom:_},e.makeViewport,e.constraintContext)}panStart({pos:e},t){return this._getUpdatedState({startPanPosition:this._unproject(e)},t)}pan({pos:e,startPosition:t},n){let i=this.getState().startPanPosition||t;if(!i)return this;let o=this.makeViewport(this.getViewportProps()).panByPosition(i,e);return this._getUpdatedState(o,n)}panEnd(e){return this._getUpdatedState({startPanPosition:null},e)}rotateStart(){return this}rotate(){return this}rotateEnd(){return this}shortestPathFrom(e){let t=e.getViewportProps();return{...this.getViewportProps()}}zoomStart({pos:e},t){let{zoomX:n,zoomY:i}=this.getViewportProps();return this._getUpdatedState({startZoomPosition:this._unproject(e),startZoom:[n,i]},t)}zoom({pos:e,startPos:t,scale:n},i){let{startZoom:s,startZoomPosition:o}=this.getState();if(!o){let{zoomX:c,zoomY:l}=this.getViewportProps();s=[c,l],o=this._unproject(t||e)}if(!o)return this;let a=this._calculateNewZoom({scale:n,startZoom:s});return this._getUpdatedState({...a,[Br]:{position:o,screenPosition:e}},i)}zoomEnd(e){return this._getUpdatedState({startZoomPosition:null,startZoom:null},e)}zoomIn(e=2,t){return this._getUpdatedState(this._calculateNewZoom({scale:e}),t)}zoomOut(e=2,t){return this._getUpdatedState(this._calculateNewZoom({scale:1/e}),t)}moveLeft(e=50,t){return this._panFromCenter([-e,0],t)}moveRight(e=50,t){return this._panFromCenter([e,0],t)}moveUp(e=50,t){return this._panFromCenter([0,-e],t)}moveDown(e=50,t){return this._panFromCenter([0,e],t)}rotateLeft(e=15){return this}rotateRight(e=15){return this}rotateUp(e=10){return this}rotateDown(e=10){return this}_project(e){return this.makeViewport(this.getViewportProps()).project(e)}_unproject(e){let t=this.makeViewport(this.getViewportProps()),[n,i]=t.unproject(e);return[n,i]}_calculateNewZoom({scale:e,startZoom:t}){let{zoomX:n,zoomY:i,zoomAxis:s}=this.getViewportProps();t===void 0&&(t=[n,i]);let o=Math.log2(e),[a,c]=t;switch(s){case"X":a+=o;break;case"Y":c+=o;break;default:a+=o,c+=o}return{zoomX:a,zoomY:c}}_panFromCenter(e,t){let{target:n}=this.getViewportProps(),i=this._project(n);return this.pan({startPosition:n,pos:[i[0]+e[0],i[1]+e[1]]},t)}_getUpdatedState(e,t){return new this.constructor({makeViewport:this.makeViewport,...this.getViewportProps(),...this.getState(),...e,constraintContext:t})}applyConstraints(e,t){let n=e,i=n[Br];delete n[Br];let s=O_(e),o=this._constrainZoom(s,e),a=e.rubberBand&&t?.mode==="elastic",{zoomX:c,zoomY:l}=t?.mode==="preserve"?s:a?{zoomX:ki(s.zoomX,o.zoomX,sL),zoomY:ki(s.zoomY,o.zoomY,sL)}:o;if(e.zoomX=c,e.zoomY=l,i){let h=this.makeViewport({...e,zoomX:c,zoomY:l});Object.assign(e,h.panByPosition(i.position,i.screenPosition))}e.zoom=Array.isArray(e.zoom)||e.zoomX!==e.zoomY?[e.zoomX,e.zoomY]:e.zoomX;let{maxBounds:u,rubberBand:f,target:d}=e;if(u){let h=ba(e.width,e.height,e.maxBoundsPadding),p=this.makeViewport(e),m=Pd(p,d,h),b=p.project(d),w=[0,1].map(T=>{let A=d.slice();A[T]+=1;let I=p.project(A)[T]-b[T];return Number.isFinite(I)?I:2**(T===0?c:l)*(T===0?1:-1)}),_=w.map((T,A)=>{let I=A===0?m.left:m.top,D=A===0?m.right:m.bottom,N=Math.abs(T);return T>=0?[I/N,D/N]:[D/N,I/N]}),x=d.slice(),E=[h.width,h.height];for(let[T,[A,I]]of _.entries()){if(E[T]<0)continue;let{minimum:D,maximum:N,midpoint:M,settledTarget:R}=sV(u,T,A,I,d[T]);if(t?.mode!=="preserve"&&f&&(!Number.isFinite(A)||!Number.isFinite(I))){x[T]=M;continue}let U=f?R:Ue(d[T],D,N);x[T]=t?.mode==="preserve"?d[T]:a?ki(d[T],U,(T===0?h.width:h.height)/2/Math.abs(w[T])):U}(x[0]!==d[0]||x[1]!==d[1])&&(e.target=x)}return e}_constrainZoom({zoomX:e,zoomY:t},n){n||(n=this.getViewportProps());let{zoomAxis:i,maxZoomX:s,maxZoomY:o,maxBounds:a}=n,{minZoomX:c,minZoomY:l}=n;if(a!==null&&n.width>0&&n.height>0){let f=ba(n.width,n.height,n.maxBoundsPadding),d=a[0],h=a[1],p=h[0]-d[0],m=h[1]-d[1];f.width>0&&Number.isFinite(p)&&p>0&&(c=Math.max(c,Math.log2(f.width/p)),c>s&&(c=s)),f.height>0&&Number.isFinite(m)&&m>0&&(l=Math.max(l,Math.log2(f.height/m)),l>o&&(l=o))}switch(i){case"X":e=Ue(e,c,s);break;case"Y":t=Ue(t,l,o);break;default:let f=Math.min(s-e,o-t,0);f===0&&(f=Math.max(c-e,l-t,0)),f!==0&&(e+=f,t+=f)}return{zoomX:e,zoomY:t}}},nu=class extends zs{constructor(){super(...arguments),this.ControllerState=D_,this.transition={transitionDuration:300,transitionInterpolator:new Jn(["target","zoomX","zoomY"])},this.dragMode="pan"}setProps(e){Object.assign(e,O_(e)),super.setProps(e)}_onMultiPanStart(e){return this.multiTouchDrag==="pan"&&super._onMultiPanStart(e)}_onPanRotate(){return!1}};var zh=class extends Ns{constructor(e={}){super(e)}getViewportType(){return iL}get ControllerType(){return nu}};zh.displayName="OrthographicView";var N_=zh;He();st();var oV=new Uint32Array([0,2,1,0,3,2]),aV=new Float32Array([0,1,0,0,1,0,1,1]);function F_(r,e){if(!e)return cV(r);let t=Math.max(Math.abs(r[0][0]-r[3][0]),Math.abs(r[1][0]-r[2][0])),n=Math.max(Math.abs(r[1][1]-r[0][1]),Math.abs(r[2][1]-r[3][1])),i=Math.ceil(t/e)+1,s=Math.ceil(n/e)+1,o=(i-1)*(s-1)*6,a=new Uint32Array(o),c=new Float32Array(i*s*2),l=new Float64Array(i*s*3),u=0,f=0;for(let d=0;d<i;d++){let h=d/(i-1);for(let p=0;p<s;p++){let m=p/(s-1),b=lV(r,h,m);l[u*3+0]=b[0],l[u*3+1]=b[1],l[u*3+2]=b[2]||0,c[u*2+0]=h,c[u*2+1]=1-m,d>0&&p>0&&(a[f++]=u-s,a[f++]=u-s-1,a[f++]=u-1,a[f++]=u-s,a[f++]=u-1,a[f++]=u),u++}}return{vertexCount:o,positions:l,indices:a,texCoords:c}}function cV(r){let e=new Float64Array(12);for(let t=0;t<r.length;t++)e[t*3+0]=r[t][0],e[t*3+1]=r[t][1],e[t*3+2]=r[t][2]||0;return{vertexCount:6,positions:e,indices:oV,texCoords:aV}}function lV(r,e,t){return jr(jr(r[0],r[1],t),jr(r[3],r[2],t),e)}var uV=`
struct BitmapUniforms {
  bounds: vec4<f32>,
  coordinateConversion: f32,
  desaturate: f32,
  tintColor: vec3<f32>,
  transparentColor: vec4<f32>,
};

@group(0) @binding(auto) var<uniform> bitmap: BitmapUniforms;
@group(0) @binding(auto) var bitmapTexture: texture_2d<f32>;
@group(0) @binding(auto) var bitmapTextureSampler: sampler;
`,oL=`layout(std140) uniform bitmapUniforms {
  vec4 bounds;
  float coordinateConversion;
  float desaturate;
  vec3 tintColor;
  vec4 transparentColor;
} bitmap;
`,aL={name:"bitmap",source:uV,vs:oL,fs:oL,uniformTypes:{bounds:"vec4<f32>",coordinateConversion:"f32",desaturate:"f32",tintColor:"vec3<f32>",transparentColor:"vec4<f32>"}};var cL=`struct Attributes {
  @location(0) positions: vec3<f32>,
  @location(1) positions64Low: vec3<f32>,
  @location(2) texCoords: vec2<f32>,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vTexCoord: vec2<f32>,
  @location(1) vTexPos: vec2<f32>,
  @location(2) pickingColor: vec3<f32>,
  @location(3) pickingDepth: f32,
};

// from degrees to Web Mercator
fn lnglat_to_mercator(lnglat: vec2<f32>) -> vec2<f32> {
  let x = lnglat.x;
  let y = clamp(lnglat.y, -89.9, 89.9);
  return vec2<f32>(
    radians(x) + PI,
    PI + log(tan(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// from Web Mercator to degrees
fn mercator_to_lnglat(xy: vec2<f32>) -> vec2<f32> {
  let position = xy / WORLD_SCALE;
  return degrees(vec2<f32>(
    position.x - PI,
    atan(exp(position.y - PI)) * 2.0 - PI * 0.5
  ));
}

fn color_desaturate(colorValue: vec3<f32>) -> vec3<f32> {
  let luminance = (colorValue.r + colorValue.g + colorValue.b) * 0.333333333;
  return mix(colorValue, vec3<f32>(luminance), bitmap.desaturate);
}

fn color_tint(colorValue: vec3<f32>) -> vec3<f32> {
  return colorValue * bitmap.tintColor;
}

fn apply_opacity(colorValue: vec3<f32>, alpha: f32) -> vec4<f32> {
  if (bitmap.transparentColor.a == 0.0) {
    return vec4<f32>(colorValue, alpha);
  }
  let blendedAlpha = alpha + bitmap.transparentColor.a * (1.0 - alpha);
  let highLightRatio = alpha / blendedAlpha;
  let blendedRGB = mix(bitmap.transparentColor.rgb, colorValue, highLightRatio);
  return vec4<f32>(blendedRGB, blendedAlpha);
}

fn getUV(position: vec2<f32>) -> vec2<f32> {
  return vec2<f32>(
    (position.x - bitmap.bounds[0]) / (bitmap.bounds[2] - bitmap.bounds[0]),
    (position.y - bitmap.bounds[3]) / (bitmap.bounds[1] - bitmap.bounds[3])
  );
}

// Pack the top 12 bits of two normalized floats into three 8-bit values.
fn packUVsIntoRGB(uv: vec2<f32>) -> vec3<f32> {
  let uv8bit = floor(uv * 256.0);
  let uvFraction = fract(uv * 256.0);
  let uvFraction4bit = floor(uvFraction * 16.0);
  let fractions = uvFraction4bit.x + uvFraction4bit.y * 16.0;
  return vec3<f32>(uv8bit, fractions) / 255.0;
}

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var output: Varyings;
  geometry.worldPosition = attributes.positions;
  geometry.uv = attributes.texCoords;
  geometry.pickingColor = picking_getPickingColorFromIndex(0u);

  let projectedPosition = project_position_to_clipspace_and_commonspace(
    attributes.positions,
    attributes.positions64Low,
    vec3<f32>(0.0)
  );
  geometry.position = projectedPosition.commonPosition;
  output.position = projectedPosition.clipPosition;
  output.vTexCoord = attributes.texCoords;
  output.vTexPos = vec2<f32>(0.0);
  output.pickingColor = geometry.pickingColor;
  output.pickingDepth = output.position.z / output.position.w;

  if (bitmap.coordinateConversion < -0.5) {
    output.vTexPos = geometry.position.xy + project.commonOrigin.xy;
  } else if (bitmap.coordinateConversion > 0.5) {
    output.vTexPos = geometry.worldPosition.xy;
  }

  return output;
}

@fragment
fn fragmentMain(input: Varyings) -> @location(0) vec4<f32> {
  var uv = input.vTexCoord;
  if (bitmap.coordinateConversion < -0.5) {
    uv = getUV(mercator_to_lnglat(input.vTexPos));
  } else if (bitmap.coordinateConversion > 0.5) {
    uv = getUV(lnglat_to_mercator(input.vTexPos));
  }

  let bitmapColor = textureSample(bitmapTexture, bitmapTextureSampler, uv);
  var fragColor = apply_opacity(
    color_tint(color_desaturate(bitmapColor.rgb)),
    bitmapColor.a * layer.opacity
  );

  geometry.uv = uv;

  if (picking.isActive > 0.5) {
    if (picking.isAttribute > 0.5) {
      return vec4<f32>(input.pickingDepth, 0.0, 0.0, 1.0);
    }
    return vec4<f32>(packUVsIntoRGB(uv), 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(input.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return deckgl_premultiplied_alpha(fragColor);
}
`;var lL=`#version 300 es
#define SHADER_NAME bitmap-layer-vertex-shader

in vec2 texCoords;
in vec3 positions;
in vec3 positions64Low;

out vec2 vTexCoord;
out vec2 vTexPos;

const vec3 pickingColor = vec3(1.0, 0.0, 0.0);

void main(void) {
  geometry.worldPosition = positions;
  geometry.uv = texCoords;
  geometry.pickingColor = pickingColor;

  gl_Position = project_position_to_clipspace(positions, positions64Low, vec3(0.0), geometry.position);
  DECKGL_FILTER_GL_POSITION(gl_Position, geometry);

  vTexCoord = texCoords;

  if (bitmap.coordinateConversion < -0.5) {
    vTexPos = geometry.position.xy + project.commonOrigin.xy;
  } else if (bitmap.coordinateConversion > 0.5) {
    vTexPos = geometry.worldPosition.xy;
  }

  vec4 color = vec4(0.0);
  DECKGL_FILTER_COLOR(color, geometry);
}
`;var fV=`
vec3 packUVsIntoRGB(vec2 uv) {
  // Extract the top 8 bits. We want values to be truncated down so we can add a fraction
  vec2 uv8bit = floor(uv * 256.);

  // Calculate the normalized remainders of u and v parts that do not fit into 8 bits
  // Scale and clamp to 0-1 range
  vec2 uvFraction = fract(uv * 256.);
  vec2 uvFraction4bit = floor(uvFraction * 16.);

  // Remainder can be encoded in blue channel, encode as 4 bits for pixel coordinates
  float fractions = uvFraction4bit.x + uvFraction4bit.y * 16.;

  return vec3(uv8bit, fractions) / 255.;
}
`,uL=`#version 300 es
#define SHADER_NAME bitmap-layer-fragment-shader

#ifdef GL_ES
precision highp float;
#endif

uniform sampler2D bitmapTexture;

in vec2 vTexCoord;
in vec2 vTexPos;

out vec4 fragColor;

/* projection utils */
const float TILE_SIZE = 512.0;
const float PI = 3.1415926536;
const float WORLD_SCALE = TILE_SIZE / PI / 2.0;

// from degrees to Web Mercator
vec2 lnglat_to_mercator(vec2 lnglat) {
  float x = lnglat.x;
  float y = clamp(lnglat.y, -89.9, 89.9);
  return vec2(
    radians(x) + PI,
    PI + log(tan(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// from Web Mercator to degrees
vec2 mercator_to_lnglat(vec2 xy) {
  xy /= WORLD_SCALE;
  return degrees(vec2(
    xy.x - PI,
    atan(exp(xy.y - PI)) * 2.0 - PI * 0.5
  ));
}
/* End projection utils */

// apply desaturation
vec3 color_desaturate(vec3 color) {
  float luminance = (color.r + color.g + color.b) * 0.333333333;
  return mix(color, vec3(luminance), bitmap.desaturate);
}

// apply tint
vec3 color_tint(vec3 color) {
  return color * bitmap.tintColor;
}

// blend with background color
vec4 apply_opacity(vec3 color, float alpha) {
  if (bitmap.transparentColor.a == 0.0) {
    return vec4(color, alpha);
  }
  float blendedAlpha = alpha + bitmap.transparentColor.a * (1.0 - alpha);
  float highLightRatio = alpha / blendedAlpha;
  vec3 blendedRGB = mix(bitmap.transparentColor.rgb, color, highLightRatio);
  return vec4(blendedRGB, blendedAlpha);
}

vec2 getUV(vec2 pos) {
  return vec2(
    (pos.x - bitmap.bounds[0]) / (bitmap.bounds[2] - bitmap.bounds[0]),
    (pos.y - bitmap.bounds[3]) / (bitmap.bounds[1] - bitmap.bounds[3])
  );
}

${fV}

void main(void) {
  vec2 uv = vTexCoord;
  if (bitmap.coordinateConversion < -0.5) {
    vec2 lnglat = mercator_to_lnglat(vTexPos);
    uv = getUV(lnglat);
  } else if (bitmap.coordinateConversion > 0.5) {
    vec2 commonPos = lnglat_to_mercator(vTexPos);
    uv = getUV(commonPos);
  }
  vec4 bitmapColor = texture(bitmapTexture, uv);

  fragColor = apply_opacity(color_tint(color_desaturate(bitmapColor.rgb)), bitmapColor.a * layer.opacity);

  geometry.uv = uv;
  DECKGL_FILTER_COLOR(fragColor, geometry);

  if (bool(picking.isActive) && !bool(picking.isAttribute)) {
    // Since instance information is not used, we can use picking color for pixel index
    fragColor.rgb = packUVsIntoRGB(uv);
  }
}
`;var dV={image:{type:"image",value:null,async:!0},bounds:{type:"array",value:[1,0,0,1],compare:!0},_imageCoordinateSystem:"default",desaturate:{type:"number",min:0,max:1,value:0},transparentColor:{type:"color",value:[0,0,0,0]},tintColor:{type:"color",value:[255,255,255]},textureParameters:{type:"object",ignore:!0,value:null}},iu=class extends Ys{getShaders(){return super.getShaders({vs:lL,fs:uL,source:cL,modules:[Pi,Li,Ri,aL]})}initializeState(){let e=this.getAttributeManager(),t=!0;e.add({indices:{size:1,isIndexed:!0,update:n=>n.value=this.state.mesh.indices,noAlloc:t},positions:{size:3,type:"float64",fp64:this.use64bitPositions(),update:n=>n.value=this.state.mesh.positions,noAlloc:t},texCoords:{size:2,update:n=>n.value=this.state.mesh.texCoords,noAlloc:t}})}updateState({props:e,oldProps:t,changeFlags:n}){let i=this.getAttributeManager();if(n.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),i.invalidateAll()),e.bounds!==t.bounds){let s=this.state.mesh,o=this._createMesh();this.state.model.setVertexCount(o.vertexCount);for(let a in o)s&&s[a]!==o[a]&&i.invalidate(a);this.setState({mesh:o,...this._getCoordinateUniforms()})}else e._imageCoordinateSystem!==t._imageCoordinateSystem&&this.setState(this._getCoordinateUniforms())}getPickingInfo(e){let{image:t}=this.props,n=e.info;if(!n.color||!t)return n.bitmap=null,n;let{width:i,height:s}=t;n.index=0;let o=hV(n.color);return n.bitmap={size:{width:i,height:s},uv:o,pixel:[Math.floor(o[0]*i),Math.floor(o[1]*s)]},n}disablePickingIndex(){this.setState({disablePicking:!0})}restorePickingColors(){this.setState({disablePicking:!1})}_updateAutoHighlight(e){super._updateAutoHighlight({...e,color:this.encodePickingColor(0)})}_createMesh(){let{bounds:e}=this.props,t=e;return fL(e)&&(t=[[e[0],e[1]],[e[0],e[3]],[e[2],e[3]],[e[2],e[1]]]),F_(t,this.context.viewport.resolution)}_getModel(){let e=this.context.device.type==="webgpu"?this.getAttributeManager().getBufferLayouts({isInstanced:!1}).filter(t=>t.name!=="indices"):this.getAttributeManager().getBufferLayouts();return new jt(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:e,topology:"triangle-list",isInstanced:!1})}draw(e){let{shaderModuleProps:t}=e,{model:n,coordinateConversion:i,bounds:s,disablePicking:o}=this.state,{image:a,desaturate:c,transparentColor:l,tintColor:u}=this.props;if(!(t.picking.isActive&&o)&&a&&n){let f={bitmapTexture:a,bounds:s,coordinateConversion:i,desaturate:c,tintColor:u.slice(0,3).map(d=>d/255),transparentColor:l.map(d=>d/255)};n.shaderInputs.setProps({bitmap:f}),n.draw(this.context.renderPass)}}_getCoordinateUniforms(){let{_imageCoordinateSystem:e}=this.props;if(e!=="default"){let{bounds:t}=this.props;if(!fL(t))throw new Error("_imageCoordinateSystem only supports rectangular bounds");let n=this.context.viewport.resolution?"lnglat":"cartesian";if(e=e==="lnglat"?"lnglat":"cartesian",e==="lnglat"&&n==="cartesian")return{coordinateConversion:-1,bounds:t};if(e==="cartesian"&&n==="lnglat"){let i=Ut([t[0],t[1]]),s=Ut([t[2],t[3]]);return{coordinateConversion:1,bounds:[i[0],i[1],s[0],s[1]]}}}return{coordinateConversion:0,bounds:[0,0,0,0]}}};iu.layerName="BitmapLayer";iu.defaultProps=dV;var U_=iu;function hV(r){let[e,t,n]=r,i=(n&240)/256,s=(n&15)/16;return[(e+s)/256,(t+i)/256]}function fL(r){return Number.isFinite(r[0])}He();var dL=`layout(std140) uniform lineUniforms {
  float widthScale;
  float widthMinPixels;
  float widthMaxPixels;
  float useShortestPath;
  highp int widthUnits;
} line;
`,hL={name:"line",source:"",vs:dL,fs:dL,uniformTypes:{widthScale:"f32",widthMinPixels:"f32",widthMaxPixels:"f32",useShortestPath:"f32",widthUnits:"i32"}};var pL=`// ---------- Helper Structures & Functions ----------

// Placeholder filter functions.
fn deckgl_filter_size(offset: vec3<f32>, geometry: Geometry) -> vec3<f32> {
  return offset;
}
fn deckgl_filter_gl_position(p: vec4<f32>, geometry: Geometry) -> vec4<f32> {
  if (picking.isAttribute > 0.5) {
    // For depth picking, write normalized depth into the picking payload.
    // This mirrors the legacy DECKGL_FILTER_GL_POSITION hook on WebGL.
  }
  return p;
}

// Compute an extrusion offset given a line direction (in clipspace),
// an offset direction (-1 or 1), and a width in pixels.
// Assumes a uniform "project" with a viewportSize field is available.
fn getExtrusionOffset(line_clipspace: vec2<f32>, offset_direction: f32, width: f32) -> vec2<f32> {
  // project.viewportSize should be provided as a uniform (not shown here)
  let dir_screenspace = normalize(line_clipspace * project.viewportSize);
  // Rotate by 90°: (x,y) becomes (-y,x)
  let rotated = vec2<f32>(-dir_screenspace.y, dir_screenspace.x);
  return rotated * offset_direction * width / 2.0;
}

// Splits the line between two points at a given x coordinate.
// Interpolates the y and z components.
fn splitLine(a: vec3<f32>, b: vec3<f32>, x: f32) -> vec3<f32> {
  let t: f32 = (x - a.x) / (b.x - a.x);
  return vec3<f32>(x, a.yz + t * (b.yz - a.yz));
}

// ---------- Uniforms & Global Structures ----------

struct LineUniforms {
  widthScale: f32,
  widthMinPixels: f32,
  widthMaxPixels: f32,
  useShortestPath: f32,
  widthUnits: i32,
};

@group(0) @binding(0)
var<uniform> line: LineUniforms;



// ---------- Vertex Output Structure ----------

struct Varyings {
  @builtin(position) gl_Position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) uv: vec2<f32>,
  @location(2) pickingColor: vec3<f32>,
};

// ---------- Vertex Shader Entry Point ----------

@vertex
fn vertexMain(
  @builtin(instance_index) instanceIndex: u32,
  @location(0) positions: vec3<f32>,
  @location(1) instanceSourcePositions: vec3<f32>,
  @location(2) instanceTargetPositions: vec3<f32>,
  @location(3) instanceSourcePositions64Low: vec3<f32>,
  @location(4) instanceTargetPositions64Low: vec3<f32>,
  @location(5) instanceColors: vec4<f32>,
  @location(6) instanceWidths: f32
) -> Varyings {
  geometry.worldPosition = instanceSourcePositions;
  geometry.worldPositionAlt = instanceTargetPositions;

  var source_world: vec3<f32> = instanceSourcePositions;
  var target_world: vec3<f32> = instanceTargetPositions;
  var source_world_64low: vec3<f32> = instanceSourcePositions64Low;
  var target_world_64low: vec3<f32> = instanceTargetPositions64Low;

  // Apply shortest-path adjustments if needed.
  if (line.useShortestPath > 0.5 || line.useShortestPath < -0.5) {
    source_world.x = (source_world.x + 180.0 % 360.0) - 180.0;
    target_world.x = (target_world.x + 180.0 % 360.0) - 180.0;
    let deltaLng: f32 = target_world.x - source_world.x;

    if (deltaLng * line.useShortestPath > 180.0) {
      source_world.x = source_world.x + 360.0 * line.useShortestPath;
      source_world = splitLine(source_world, target_world, 180.0 * line.useShortestPath);
      source_world_64low = vec3<f32>(0.0, 0.0, 0.0);
    } else if (deltaLng * line.useShortestPath < -180.0) {
      target_world.x = target_world.x + 360.0 * line.useShortestPath;
      target_world = splitLine(source_world, target_world, 180.0 * line.useShortestPath);
      target_world_64low = vec3<f32>(0.0, 0.0, 0.0);
    } else if (line.useShortestPath < 0.0) {
      var abortOut: Varyings;
      abortOut.gl_Position = vec4<f32>(0.0);
      abortOut.vColor = vec4<f32>(0.0);
      abortOut.uv = vec2<f32>(0.0);
      return abortOut;
    }
  }

  // Project Pos and target positions to clip space.
  let sourceResult = project_position_to_clipspace_and_commonspace(source_world, source_world_64low, vec3<f32>(0.0));
  let targetResult = project_position_to_clipspace_and_commonspace(target_world, target_world_64low, vec3<f32>(0.0));
  let sourcePos: vec4<f32> = sourceResult.clipPosition;
  let targetPos: vec4<f32> = targetResult.clipPosition;
  let source_commonspace: vec4<f32> = sourceResult.commonPosition;
  let target_commonspace: vec4<f32> = targetResult.commonPosition;

  // Interpolate along the line segment.
  let segmentIndex: f32 = positions.x;
  let p: vec4<f32> = sourcePos + segmentIndex * (targetPos - sourcePos);
  geometry.position = source_commonspace + segmentIndex * (target_commonspace - source_commonspace);
#ifdef ANTIALIASING
  var uv: vec2<f32> = positions.xy;
#else
  let uv: vec2<f32> = positions.xy;
#endif
  geometry.uv = uv;
  geometry.pickingColor = picking_getPickingColorFromIndex(instanceIndex);

  // Determine width in pixels.
  let widthPixels: f32 = clamp(
    project_unit_size_to_pixel(instanceWidths * line.widthScale, line.widthUnits),
    line.widthMinPixels, line.widthMaxPixels
  );

  // Compute extrusion offset.
  let extrusion: vec2<f32> = getExtrusionOffset(targetPos.xy - sourcePos.xy, positions.y, widthPixels);
  let offset: vec3<f32> = vec3<f32>(extrusion, 0.0);

  // Apply deck.gl filter functions.
#ifdef ANTIALIASING
  var filteredOffset = deckgl_filter_size(offset, geometry);
  let halfWidthPixels = length(filteredOffset.xy);
  if (halfWidthPixels > 0.0) {
    // Keep the declared edge at abs(uv.y) == 1 while rasterizing the outer half of the centered
    // one-device-pixel coverage ramp.
    let coverageScale = 1.0 + 0.5 / project.devicePixelRatio / halfWidthPixels;
    filteredOffset *= coverageScale;
    uv.y *= coverageScale;
  }
  geometry.uv = uv;
#else
  let filteredOffset = deckgl_filter_size(offset, geometry);
#endif
  let filteredP = deckgl_filter_gl_position(p, geometry);

  let clipOffset: vec2<f32> = project_pixel_size_to_clipspace(filteredOffset.xy);
  let finalPosition: vec4<f32> = filteredP + vec4<f32>(clipOffset, 0.0, 0.0);

  // Compute color.
  var vColor: vec4<f32> = vec4<f32>(instanceColors.rgb, instanceColors.a * layer.opacity);
  // vColor = deckgl_filter_color(vColor, geometry);

  var output: Varyings;
  output.gl_Position = finalPosition;
  output.vColor = vColor;
  output.uv = uv;
  output.pickingColor = geometry.pickingColor;
  return output;
}

@fragment
fn fragmentMain(
  @location(0) vColor: vec4<f32>,
  @location(1) uv: vec2<f32>,
  @location(2) pickingColor: vec3<f32>
) -> @location(0) vec4<f32> {
  // Create and initialize geometry with the provided uv.
  var geometry: Geometry;
  geometry.uv = uv;

  // Start with the input color.
  var fragColor: vec4<f32> = vColor;

#ifdef ANTIALIASING
  // Distance to the edge in device pixels, from the derivative of uv.y. Taken in uniform control
  // flow, ahead of the picking discard below
  let edgeCoord = abs(uv.y);
  let edgePixels = (1.0 - edgeCoord) / max(fwidth(edgeCoord), 1e-6);

  // Fragments outside the coverage ramp must not write depth or picking colors.
  if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
    discard;
  }

  // Feather one device pixel across the width, before premultiplication below. The ends are left
  // hard - they abut neighbors
  fragColor.a *= smoothedge(0.0, edgePixels);
#endif

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(pickingColor)) {
      discard;
    }
    return vec4<f32>(pickingColor, 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  // Apply premultiplied alpha as required by transparent canvas
  fragColor = deckgl_premultiplied_alpha(fragColor);

  return fragColor;
}
`;var mL=`#version 300 es
#define SHADER_NAME line-layer-vertex-shader
in vec3 positions;
in vec3 instanceSourcePositions;
in vec3 instanceTargetPositions;
in vec3 instanceSourcePositions64Low;
in vec3 instanceTargetPositions64Low;
in vec4 instanceColors;
in float instanceWidths;
out vec4 vColor;
out vec2 uv;
vec2 getExtrusionOffset(vec2 line_clipspace, float offset_direction, float width) {
vec2 dir_screenspace = normalize(line_clipspace * project.viewportSize);
dir_screenspace = vec2(-dir_screenspace.y, dir_screenspace.x);
return dir_screenspace * offset_direction * width / 2.0;
}
vec3 splitLine(vec3 a, vec3 b, float x) {
float t = (x - a.x) / (b.x - a.x);
return vec3(x, mix(a.yz, b.yz, t));
}
void main(void) {
geometry.worldPosition = instanceSourcePositions;
geometry.worldPositionAlt = instanceTargetPositions;
vec3 source_world = instanceSourcePositions;
vec3 target_world = instanceTargetPositions;
vec3 source_world_64low = instanceSourcePositions64Low;
vec3 target_world_64low = instanceTargetPositions64Low;
if (line.useShortestPath > 0.5 || line.useShortestPath < -0.5) {
source_world.x = mod(source_world.x + 180., 360.0) - 180.;
target_world.x = mod(target_world.x + 180., 360.0) - 180.;
float deltaLng = target_world.x - source_world.x;
if (deltaLng * line.useShortestPath > 180.) {
source_world.x += 360. * line.useShortestPath;
source_world = splitLine(source_world, target_world, 180. * line.useShortestPath);
source_world_64low = vec3(0.0);
} else if (deltaLng * line.useShortestPath < -180.) {
target_world.x += 360. * line.useShortestPath;
target_world = splitLine(source_world, target_world, 180. * line.useShortestPath);
target_world_64low = vec3(0.0);
} else if (line.useShortestPath < 0.) {
gl_Position = vec4(0.);
return;
}
}
vec4 source_commonspace;
vec4 target_commonspace;
vec4 source = project_position_to_clipspace(source_world, source_world_64low, vec3(0.), source_commonspace);
vec4 target = project_position_to_clipspace(target_world, target_world_64low, vec3(0.), target_commonspace);
float segmentIndex = positions.x;
vec4 p = mix(source, target, segmentIndex);
geometry.position = mix(source_commonspace, target_commonspace, segmentIndex);
uv = positions.xy;
geometry.uv = uv;
geometry.pickingColor = picking_getPickingColorFromInstanceID();
float widthPixels = clamp(
project_size_to_pixel(instanceWidths * line.widthScale, line.widthUnits),
line.widthMinPixels, line.widthMaxPixels
);
vec3 offset = vec3(
getExtrusionOffset(target.xy - source.xy, positions.y, widthPixels),
0.0);
DECKGL_FILTER_SIZE(offset, geometry);
#ifdef ANTIALIASING
float halfWidthPixels = length(offset.xy);
if (halfWidthPixels > 0.0) {
float coverageScale = 1.0 + 0.5 / project.devicePixelRatio / halfWidthPixels;
offset.xy *= coverageScale;
uv.y *= coverageScale;
}
geometry.uv = uv;
#endif
DECKGL_FILTER_GL_POSITION(p, geometry);
gl_Position = p + vec4(project_pixel_size_to_clipspace(offset.xy), 0.0, 0.0);
vColor = vec4(instanceColors.rgb, instanceColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vColor, geometry);
}
`;var gL=`#version 300 es
#define SHADER_NAME line-layer-fragment-shader
precision highp float;
in vec4 vColor;
in vec2 uv;
out vec4 fragColor;
void main(void) {
geometry.uv = uv;
fragColor = vColor;
#ifdef ANTIALIASING
float edgeCoord = abs(uv.y);
float edgePixels = (1.0 - edgeCoord) / max(fwidth(edgeCoord), 1e-6);
if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
discard;
}
fragColor.a *= smoothedge(0.0, edgePixels);
#endif
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var pV=[0,0,0,255],mV={getSourcePosition:{type:"accessor",value:r=>r.sourcePosition},getTargetPosition:{type:"accessor",value:r=>r.targetPosition},getColor:{type:"accessor",value:pV},getWidth:{type:"accessor",value:1},widthUnits:"pixels",widthScale:{type:"number",value:1,min:0},widthMinPixels:{type:"number",value:0,min:0},widthMaxPixels:{type:"number",value:Number.MAX_SAFE_INTEGER,min:0},antialiasing:!1},su=class extends Ys{getBounds(){return this.getAttributeManager()?.getBounds(["instanceSourcePositions","instanceTargetPositions"])}getShaders(){let{antialiasing:e}=this.props;return super.getShaders({vs:mL,fs:gL,source:pL,defines:e?{ANTIALIASING:1}:{},modules:[Li,Pi,Ri,hL]})}get wrapLongitude(){return!1}initializeState(){this.getAttributeManager().addInstanced({instanceSourcePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getSourcePosition"},instanceTargetPositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getTargetPosition"},instanceColors:{size:this.props.colorFormat.length,type:"unorm8",transition:!0,accessor:"getColor",defaultValue:[0,0,0,255]},instanceWidths:{size:1,transition:!0,accessor:"getWidth",defaultValue:1}})}updateState(e){super.updateState(e);let{props:t,oldProps:n,changeFlags:i}=e;(i.extensionsChanged||t.antialiasing!==n.antialiasing)&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{widthUnits:t,widthScale:n,widthMinPixels:i,widthMaxPixels:s,wrapLongitude:o}=this.props,a=this.state.model,c={widthUnits:Rr[t],widthScale:n,widthMinPixels:i,widthMaxPixels:s,useShortestPath:o?1:0};a.shaderInputs.setProps({line:c}),a.draw(this.context.renderPass),o&&(a.shaderInputs.setProps({line:{...c,useShortestPath:-1}}),a.draw(this.context.renderPass))}_getModel(){let e=[0,-1,0,0,1,0,1,-1,0,1,1,0];return new jt(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new Kn({topology:"triangle-strip",attributes:{positions:{size:3,value:new Float32Array(e)}}}),isInstanced:!0})}};su.layerName="LineLayer";su.defaultProps=mV;var z_=su;He();var bL=`layout(std140) uniform scatterplotUniforms {
  float radiusScale;
  float radiusMinPixels;
  float radiusMaxPixels;
  float lineWidthScale;
  float lineWidthMinPixels;
  float lineWidthMaxPixels;
  float stroked;
  float filled;
  bool antialiasing;
  bool billboard;
  highp int radiusUnits;
  highp int lineWidthUnits;
} scatterplot;
`,yL={name:"scatterplot",vs:bL,fs:bL,source:"",uniformTypes:{radiusScale:"f32",radiusMinPixels:"f32",radiusMaxPixels:"f32",lineWidthScale:"f32",lineWidthMinPixels:"f32",lineWidthMaxPixels:"f32",stroked:"f32",filled:"f32",antialiasing:"f32",billboard:"f32",radiusUnits:"i32",lineWidthUnits:"i32"}};var _L=`#version 300 es
#define SHADER_NAME scatterplot-layer-vertex-shader
in vec3 positions;
in vec3 instancePositions;
in vec3 instancePositions64Low;
in float instanceRadius;
in float instanceLineWidths;
in vec4 instanceFillColors;
in vec4 instanceLineColors;
#ifdef USE_ROW_INDEXES
in float rowIndexes;
#endif
in vec2 instancePixelOffset;
out vec4 vFillColor;
out vec4 vLineColor;
out vec2 unitPosition;
out float innerUnitRadius;
out float outerRadiusPixels;
void main(void) {
geometry.worldPosition = instancePositions;
outerRadiusPixels = clamp(
project_size_to_pixel(scatterplot.radiusScale * instanceRadius, scatterplot.radiusUnits),
scatterplot.radiusMinPixels, scatterplot.radiusMaxPixels
);
float lineWidthPixels = clamp(
project_size_to_pixel(scatterplot.lineWidthScale * instanceLineWidths, scatterplot.lineWidthUnits),
scatterplot.lineWidthMinPixels, scatterplot.lineWidthMaxPixels
);
outerRadiusPixels += scatterplot.stroked * lineWidthPixels / 2.0;
float edgePadding = scatterplot.antialiasing ? (outerRadiusPixels + SMOOTH_EDGE_RADIUS) / outerRadiusPixels : 1.0;
unitPosition = edgePadding * positions.xy;
geometry.uv = unitPosition;
#ifdef USE_ROW_INDEXES
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
#else
geometry.pickingColor = picking_getPickingColorFromInstanceID();
#endif
innerUnitRadius = 1.0 - scatterplot.stroked * lineWidthPixels / outerRadiusPixels;
if (scatterplot.billboard) {
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
vec3 offset = edgePadding * positions * outerRadiusPixels;
offset.xy += instancePixelOffset;
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position.xy += project_pixel_size_to_clipspace(offset.xy);
} else {
vec3 offset = edgePadding * positions * project_pixel_size(outerRadiusPixels);
offset.xy += project_pixel_size(instancePixelOffset);
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, offset, geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
vFillColor = vec4(instanceFillColors.rgb, instanceFillColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vFillColor, geometry);
vLineColor = vec4(instanceLineColors.rgb, instanceLineColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vLineColor, geometry);
}
`;var xL=`#version 300 es
#define SHADER_NAME scatterplot-layer-fragment-shader
precision highp float;
in vec4 vFillColor;
in vec4 vLineColor;
in vec2 unitPosition;
in float innerUnitRadius;
in float outerRadiusPixels;
out vec4 fragColor;
void main(void) {
geometry.uv = unitPosition;
float distToCenter = length(unitPosition) * outerRadiusPixels;
float inCircle = scatterplot.antialiasing ?
smoothedge(distToCenter, outerRadiusPixels) :
step(distToCenter, outerRadiusPixels);
if (inCircle == 0.0) {
discard;
}
if (scatterplot.stroked > 0.5) {
float isLine = scatterplot.antialiasing ?
smoothedge(innerUnitRadius * outerRadiusPixels, distToCenter) :
step(innerUnitRadius * outerRadiusPixels, distToCenter);
if (scatterplot.filled > 0.5) {
fragColor = mix(vFillColor, vLineColor, isLine);
} else {
if (isLine == 0.0) {
discard;
}
fragColor = vec4(vLineColor.rgb, vLineColor.a * isLine);
}
} else if (scatterplot.filled < 0.5) {
discard;
} else {
fragColor = vFillColor;
}
fragColor.a *= inCircle;
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;var gV=`// Main shaders

struct ScatterplotUniforms {
  radiusScale: f32,
  radiusMinPixels: f32,
  radiusMaxPixels: f32,
  lineWidthScale: f32,
  lineWidthMinPixels: f32,
  lineWidthMaxPixels: f32,
  stroked: f32,
  filled: i32,
  antialiasing: i32,
  billboard: i32,
  radiusUnits: i32,
  lineWidthUnits: i32,
};

@group(0) @binding(0) var<uniform> scatterplot: ScatterplotUniforms;

struct Attributes {
  @builtin(instance_index) instanceIndex : u32,
  @builtin(vertex_index) vertexIndex : u32,
  @location(0) positions: vec3<f32>,
  @location(1) instancePositions: vec3<f32>,
  @location(2) instancePositions64Low: vec3<f32>,
  @location(3) instanceRadius: f32,
  @location(4) instanceLineWidths: f32,
  @location(5) instanceFillColors: vec4<f32>,
  @location(6) instanceLineColors: vec4<f32>,
  @location(7) instancePixelOffset: vec2<f32>,
  PICKING_COLOR_ATTRIBUTE
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vFillColor: vec4<f32>,
  @location(1) vLineColor: vec4<f32>,
  @location(2) unitPosition: vec2<f32>,
  @location(3) innerUnitRadius: f32,
  @location(4) outerRadiusPixels: f32,
  @location(5) pickingColor: vec3<f32>,
  @location(6) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var varyings: Varyings;

  // Draw an inline geometry constant array clip space triangle to verify that rendering works.
  // var positions = array<vec2<f32>, 3>(vec2(0.0, 0.5), vec2(-0.5, -0.5), vec2(0.5, -0.5));
  // if (attributes.instanceIndex == 0) {
  //   varyings.position = vec4<f32>(positions[attributes.vertexIndex], 0.0, 1.0);
  //   return varyings;
  // }

  geometry.worldPosition = attributes.instancePositions;

  // Multiply out radius and clamp to limits
  varyings.outerRadiusPixels = clamp(
    project_unit_size_to_pixel(scatterplot.radiusScale * attributes.instanceRadius, scatterplot.radiusUnits),
    scatterplot.radiusMinPixels, scatterplot.radiusMaxPixels
  );

  // Multiply out line width and clamp to limits
  let lineWidthPixels = clamp(
    project_unit_size_to_pixel(scatterplot.lineWidthScale * attributes.instanceLineWidths, scatterplot.lineWidthUnits),
    scatterplot.lineWidthMinPixels, scatterplot.lineWidthMaxPixels
  );

  // outer radius needs to offset by half stroke width
  varyings.outerRadiusPixels += scatterplot.stroked * lineWidthPixels / 2.0;
  // Expand geometry to accommodate edge smoothing
  // WGSL selects the second value when the condition is true, so keep the antialiased path second.
  let edgePadding = select(
    1.0,
    (varyings.outerRadiusPixels + SMOOTH_EDGE_RADIUS) / varyings.outerRadiusPixels,
    scatterplot.antialiasing != 0
  );

  // position on the containing square in [-1, 1] space
  varyings.unitPosition = edgePadding * attributes.positions.xy;
  geometry.uv = varyings.unitPosition;
  geometry.pickingColor = PICKING_COLOR_VALUE;

  varyings.innerUnitRadius = 1.0 - scatterplot.stroked * lineWidthPixels / varyings.outerRadiusPixels;

  if (scatterplot.billboard != 0) {
    let projectedPosition = project_position_to_clipspace_and_commonspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      vec3<f32>(0.0)
    );
    geometry.position = projectedPosition.commonPosition;
    varyings.position = projectedPosition.clipPosition;
    // DECKGL_FILTER_GL_POSITION(varyings.position, geometry);
    var offset = edgePadding * attributes.positions * varyings.outerRadiusPixels;
    offset = vec3<f32>(offset.xy + attributes.instancePixelOffset, offset.z);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let clipPixels = project_pixel_size_to_clipspace(offset.xy);
    varyings.position = vec4<f32>(varyings.position.x + clipPixels.x, varyings.position.y + clipPixels.y, varyings.position.z, varyings.position.w);
    geometry.position = vec4<f32>(
      geometry.position.xy + project_pixel_size_vec2(offset.xy),
      geometry.position.zw
    );
  } else {
    var offset = edgePadding * attributes.positions * project_pixel_size_float(varyings.outerRadiusPixels);
    offset = vec3<f32>(offset.xy + project_pixel_size_vec2(attributes.instancePixelOffset), offset.z);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let projectedPosition = project_position_to_clipspace_and_commonspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      offset
    );
    geometry.position = projectedPosition.commonPosition;
    varyings.position = projectedPosition.clipPosition;
    // DECKGL_FILTER_GL_POSITION(varyings.position, geometry);
  }

  varyings.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&varyings.position, geometry.worldPosition.xy);

  // Apply opacity to instance color, or return instance picking color
  varyings.vFillColor = vec4<f32>(attributes.instanceFillColors.rgb, attributes.instanceFillColors.a * layer.opacity);
  // DECKGL_FILTER_COLOR(varyings.vFillColor, geometry);
  varyings.vLineColor = vec4<f32>(attributes.instanceLineColors.rgb, attributes.instanceLineColors.a * layer.opacity);
  // DECKGL_FILTER_COLOR(varyings.vLineColor, geometry);
  varyings.pickingColor = geometry.pickingColor;

  return varyings;
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
  // var geometry: Geometry;
  // geometry.uv = unitPosition;

  let distToCenter = length(varyings.unitPosition) * varyings.outerRadiusPixels;
  let inCircle = select(
    step(distToCenter, varyings.outerRadiusPixels),
    smoothedge(distToCenter, varyings.outerRadiusPixels),
    scatterplot.antialiasing != 0
  );

  if (inCircle == 0.0) {
    discard;
  }

  var fragColor: vec4<f32>;

  if (scatterplot.stroked != 0) {
    let isLine = select(
      step(varyings.innerUnitRadius * varyings.outerRadiusPixels, distToCenter),
      smoothedge(varyings.innerUnitRadius * varyings.outerRadiusPixels, distToCenter),
      scatterplot.antialiasing != 0
    );

    if (scatterplot.filled != 0) {
      fragColor = mix(varyings.vFillColor, varyings.vLineColor, isLine);
    } else {
      if (isLine == 0.0) {
        discard;
      }
      fragColor = vec4<f32>(varyings.vLineColor.rgb, varyings.vLineColor.a * isLine);
    }
  } else if (scatterplot.filled == 0) {
    discard;
  } else {
    fragColor = varyings.vFillColor;
  }

  fragColor.a *= inCircle;

  clip_filterColor(varyings.clipCoordinates);

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(varyings.pickingColor)) {
      discard;
    }
    return vec4<f32>(varyings.pickingColor, 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(varyings.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  // Apply premultiplied alpha as required by transparent canvas
  fragColor = deckgl_premultiplied_alpha(fragColor);

  return fragColor;
  // return vec4<f32>(0, 0, 1, 1);
}
`;function wL(r){return gV.replace("PICKING_COLOR_ATTRIBUTE",r?"@location(8) rowIndexes: u32,":"").replace("PICKING_COLOR_VALUE",r?"picking_getPickingColorFromIndex(attributes.rowIndexes)":"picking_getPickingColorFromIndex(attributes.instanceIndex)")}var bV=`struct ClipUniforms {
  enabled: i32,
  mode: i32,
  bounds: vec4<f32>,
};

@group(2) @binding(auto) var<uniform> clipUniforms: ClipUniforms;

fn clip_isInBounds(coordinates: vec2<f32>) -> bool {
  return coordinates.x >= clipUniforms.bounds.x &&
    coordinates.y >= clipUniforms.bounds.y &&
    coordinates.x < clipUniforms.bounds.z &&
    coordinates.y < clipUniforms.bounds.w;
}

fn clip_filterPosition(position: ptr<function, vec4<f32>>, instanceCoordinates: vec2<f32>) {
  if (
    clipUniforms.enabled != 0 &&
    clipUniforms.mode == 1 &&
    !clip_isInBounds(instanceCoordinates)
  ) {
    *position = vec4<f32>(2.0, 2.0, 2.0, 1.0);
  }
}

fn clip_filterColor(geometryCoordinates: vec2<f32>) {
  if (
    clipUniforms.enabled != 0 &&
    clipUniforms.mode == 0 &&
    !clip_isInBounds(geometryCoordinates)
  ) {
    discard;
  }
}
`,yV={name:"clip",source:bV,props:{},uniforms:{},bindingLayout:[{name:"clip",group:2}],uniformTypes:{enabled:"i32",mode:"i32",bounds:"vec4<f32>"},defaultUniforms:{enabled:0,mode:0,bounds:[0,0,1,1]},getUniforms(r={}){let e={};return r.enabled!==void 0&&(e.enabled=r.enabled?1:0),r.mode!==void 0&&(e.mode=r.mode==="instance"?1:0),r.bounds!==void 0&&(e.bounds=r.bounds),e}},vL=yV;var EL=[0,0,0,255],_V={radiusUnits:"meters",radiusScale:{type:"number",min:0,value:1},radiusMinPixels:{type:"number",min:0,value:0},radiusMaxPixels:{type:"number",min:0,value:Number.MAX_SAFE_INTEGER},lineWidthUnits:"meters",lineWidthScale:{type:"number",min:0,value:1},lineWidthMinPixels:{type:"number",min:0,value:0},lineWidthMaxPixels:{type:"number",min:0,value:Number.MAX_SAFE_INTEGER},stroked:!1,filled:!0,billboard:!1,antialiasing:!0,getPosition:{type:"accessor",value:r=>r.position},getRadius:{type:"accessor",value:1},getFillColor:{type:"accessor",value:EL},getLineColor:{type:"accessor",value:EL},getLineWidth:{type:"accessor",value:1},getPixelOffset:{type:"accessor",value:[0,0]},strokeWidth:{deprecatedFor:"getLineWidth"},outline:{deprecatedFor:"stroked"},getColor:{deprecatedFor:["getFillColor","getLineColor"]}},ou=class extends Ys{getShaders(){let e=!!this.props.data?.attributes?.rowIndexes;return super.getShaders({vs:_L,fs:xL,source:wL(e),defines:e?{USE_ROW_INDEXES:!0}:{},modules:[Li,Pi,Ri,yL,...this.context.device.type==="webgpu"?[vL]:[]]})}initializeState(){let e=this.props.data?.attributes?.rowIndexes?{rowIndexes:{size:1,type:"uint32",noAlloc:!0}}:{};this.getAttributeManager().addInstanced({instancePositions:{size:3,type:"float64",fp64:this.use64bitPositions(),transition:!0,accessor:"getPosition"},instanceRadius:{size:1,transition:!0,accessor:"getRadius",defaultValue:1,bufferGroup:"scatterplot-instance-data"},instanceFillColors:{size:this.props.colorFormat.length,transition:!0,type:"unorm8",accessor:"getFillColor",defaultValue:[0,0,0,255],bufferGroup:"scatterplot-instance-data"},instanceLineColors:{size:this.props.colorFormat.length,transition:!0,type:"unorm8",accessor:"getLineColor",defaultValue:[0,0,0,255],bufferGroup:"scatterplot-instance-data"},instanceLineWidths:{size:1,transition:!0,accessor:"getLineWidth",defaultValue:1,bufferGroup:"scatterplot-instance-data"},instancePixelOffset:{size:2,transition:!0,accessor:"getPixelOffset",bufferGroup:"scatterplot-instance-data"},...e})}updateState(e){super.updateState(e),e.changeFlags.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{radiusUnits:t,radiusScale:n,radiusMinPixels:i,radiusMaxPixels:s,stroked:o,filled:a,billboard:c,antialiasing:l,lineWidthUnits:u,lineWidthScale:f,lineWidthMinPixels:d,lineWidthMaxPixels:h}=this.props,p={stroked:o,filled:a,billboard:c,antialiasing:l,radiusUnits:Rr[t],radiusScale:n,radiusMinPixels:i,radiusMaxPixels:s,lineWidthUnits:Rr[u],lineWidthScale:f,lineWidthMinPixels:d,lineWidthMaxPixels:h},m=this.state.model;m.shaderInputs.setProps({scatterplot:p}),m.draw(this.context.renderPass)}_getModel(){let e=[-1,-1,0,1,-1,0,-1,1,0,1,1,0];return new jt(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new Kn({topology:"triangle-strip",attributes:{positions:{size:3,value:new Float32Array(e)}}}),isInstanced:!0})}};ou.defaultProps=_V;ou.layerName="ScatterplotLayer";var Gh=ou;var $h=class{share=1;last=0;moved=!1;next(e,t){let n=performance.now(),i=n-this.last;return t&&this.moved&&(this.share=Math.max(.03,Math.min(1,this.share*Math.max(.3,Math.min(1.2,30/i))))),[this.last,this.moved]=[n,t],t&&e>5e3?Math.max(Math.min(e,3e3),Math.round(e*this.share)):e}},G_=class{kind="webgl";canvas;deck;pace=new $h;places=new Float32Array;fills=new Uint8Array;seen={places:-1,colours:-1,order:null};constructor(e,t){this.canvas=e,this.deck=new Ky({canvas:e,views:new N_({id:"plot",flipY:!1}),controller:!1,layers:[],viewState:{target:[.5,.5,0],zoom:8},useDevicePixels:Math.min(2,devicePixelRatio||1),_typedArrayManagerProps:{overAlloc:1,poolSize:0},onError:n=>t(n.message)})}draw(e,t,n){let{order:i,xy:s,colours:o,version:a}=e,c=i.length,l=this.seen.order!==i;if(l||this.seen.places!==a.places){this.places=new Float32Array(3*c);for(let d=0;d<c;d++)this.places[3*d]=s[2*i[d]],this.places[3*d+1]=s[2*i[d]+1]}if(l||this.seen.colours!==a.colours){this.fills=new Uint8Array(4*c);for(let d=0;d<c;d++)for(let h=0;h<4;h++)this.fills[4*d+h]=o[4*i[d]+h]}this.seen={places:a.places,colours:a.colours,order:i};let u=this.pace.next(c,n),f=[];if(e.shade){let{x0:d,y0:h,x1:p,y1:m}=e.shade.bounds;f.push(new U_({id:"shade",image:e.shade.image,bounds:[d,h,p,m],opacity:.55}))}if(e.lines.length){let d=e.lines,h=p=>{let m=new Float32Array(d.length/2*3);for(let b=0;b<d.length/2;b++)m[3*b]=s[2*d[2*b+p]],m[3*b+1]=s[2*d[2*b+p]+1];return m};f.push(new z_({id:"lines",data:{length:d.length/2,attributes:{getSourcePosition:{value:h(0),size:3},getTargetPosition:{value:h(1),size:3}}},getColor:e.lineColour,getWidth:1.2,widthUnits:"pixels"}))}if(f.push(new Gh({id:"points",data:{length:u,attributes:{getPosition:{value:this.places,size:3},getFillColor:{value:this.fills,size:4,normalized:!0}}},getRadius:e.radius,radiusUnits:"pixels",stroked:!1,antialiasing:c<3e4})),e.rings.length){let d=h=>[s[2*h],s[2*h+1],0];f.push(new Gh({id:"rings",data:e.rings,getPosition:d,getRadius:e.radius+4,radiusUnits:"pixels",filled:!1,stroked:!0,getLineColor:[...e.ink,255],getLineWidth:2,lineWidthUnits:"pixels",updateTriggers:{getPosition:[a.places,e.rings.join()]}}))}this.deck.setProps({layers:f,viewState:{target:[t.x,t.y,0],zoom:Math.log2(t.scale),minZoom:-20,maxZoom:40}})}snapshot(){return this.deck.redraw("print"),this.canvas.toDataURL("image/png")}},$_=2e4,au=class{constructor(e){this.canvas=e;this.context=e.getContext("2d",{willReadFrequently:!0})}canvas;kind="canvas";pace=new $h;context;draw(e,t,n){let{canvas:i,context:s}=this;if(!s)return;let o=e.order.length>$_?1:Math.min(2,devicePixelRatio||1),[a,c]=[i.clientWidth,i.clientHeight];if((i.width!==Math.round(a*o)||i.height!==Math.round(c*o))&&(i.width=Math.round(a*o),i.height=Math.round(c*o)),!i.width||!i.height)return;s.setTransform(o,0,0,o,0,0),s.fillStyle=`rgb(${e.paper.join(" ")})`,s.fillRect(0,0,a,c);let l=p=>(p-t.x)*t.scale+a/2,u=p=>c/2-(p-t.y)*t.scale,{xy:f,order:d}=e;if(e.shade){let{x0:p,y0:m,x1:b,y1:w}=e.shade.bounds;s.globalAlpha=.55,s.drawImage(e.shade.image,l(p),u(w),l(b)-l(p),u(m)-u(w)),s.globalAlpha=1}if(e.lines.length){let[p,m,b,w]=e.lineColour;s.strokeStyle=`rgb(${p} ${m} ${b} / ${w/255})`,s.lineWidth=1.2,s.beginPath();for(let _=0;_<e.lines.length;_+=2){let[x,E]=[e.lines[_],e.lines[_+1]];s.moveTo(l(f[2*x]),u(f[2*x+1])),s.lineTo(l(f[2*E]),u(f[2*E+1]))}s.stroke()}let h=this.pace.next(d.length,n);d.length>$_?this.pixels(s,e,t,h):this.discs(s,e,l,u,h),s.strokeStyle=`rgb(${e.ink.join(" ")})`,s.lineWidth=2;for(let p of e.rings)s.beginPath(),s.arc(l(f[2*p]),u(f[2*p+1]),e.radius+4,0,2*Math.PI),s.stroke()}discs(e,t,n,i,s){let{xy:o,colours:a,order:c,radius:l}=t,u=-1;for(let f=0;f<s;f++){let d=c[f];if(a[4*d+3]===0)continue;let h=a[4*d]<<24|a[4*d+1]<<16|a[4*d+2]<<8|a[4*d+3];h!==u&&(e.fillStyle=`rgb(${a[4*d]} ${a[4*d+1]} ${a[4*d+2]} / ${a[4*d+3]/255})`,u=h),e.beginPath(),e.arc(n(o[2*d]),i(o[2*d+1]),l,0,2*Math.PI),e.fill()}}pixels(e,t,n,i){let[s,o]=[this.canvas.width,this.canvas.height],a=e.getImageData(0,0,s,o),{data:c}=a,{xy:l,colours:u,order:f}=t,[d,h]=[s/2-n.x*n.scale,o/2+n.y*n.scale];for(let p=0;p<i;p++){let m=f[p],b=u[4*m+3],w=Math.round(l[2*m]*n.scale+d),_=Math.round(h-l[2*m+1]*n.scale);if(b===0||w<1||_<1||w>=s-1||_>=o-1)continue;let[x,E,T]=[u[4*m],u[4*m+1],u[4*m+2]];for(let A=_-1;A<=_+1;A++){let I=4*(A*s+w-1);for(let D=0;D<3;D++,I+=4)c[I]+=(x-c[I])*b>>8,c[I+1]+=(E-c[I+1])*b>>8,c[I+2]+=(T-c[I+2])*b>>8}}e.putImageData(a,0,0)}snapshot(){return this.canvas.toDataURL("image/png")}};function xV(r){if(location.hash==="#canvas")return!1;try{let e=document.createElement("canvas").getContext("webgl2");if(!e)return!1;let t=e.getExtension("WEBGL_debug_renderer_info"),n=String(e.getParameter(t?t.UNMASKED_RENDERER_WEBGL:e.RENDERER));return e.getExtension("WEBGL_lose_context")?.loseContext(),location.hash==="#webgl"||r<=$_||!/swiftshader|llvmpipe|softpipe|software|basic render/i.test(n)}catch{return!1}}function SL(r,e,t){let n=()=>{let i=document.createElement("canvas");return i.className="points",r.prepend(i),i};if(!xV(e))return new au(n());try{return new G_(n(),t)}catch{return r.querySelector("canvas.points")?.remove(),new au(n())}}function TL(r){r.querySelectorAll("canvas.points").forEach(t=>t.remove());let e=document.createElement("canvas");return e.className="points",r.prepend(e),new au(e)}function wV(r){let e=[],t=Math.max(1,Math.floor(r.length/2e4));for(let c=0;c<r.length;c+=t)Number.isFinite(r[c])&&e.push(r[c]);if(e.sort((c,l)=>c-l),e.length===0)return{low:0,span:1};let[n,i]=[e[0],e[e.length-1]],s=c=>e[Math.round(c*(e.length-1))],[o,a]=[s(.005),s(.995)];return i-n>3*(a-o)&&a>o&&([n,i]=[o-.1*(a-o),a+.1*(a-o)]),{low:n,span:i>n?i-n:1}}function PL(r,e,t){let n=r.map(a=>a?wV(a):{low:-.5,span:1}),i=Math.max(...n.map((a,c)=>r[c]?a.span:0)),s=new Float32Array(3*e),o=[];return n.forEach((a,c)=>{let l=t?i:a.span,u=.5-(a.low+.5*a.span)/l;o.push(u,1/l);let f=r[c];for(let d=0;d<e;d++)s[3*d+c]=f&&Number.isFinite(f[d])?f[d]/l+u:.5}),{xyz:s,box:o}}var Vh=class{constructor(e){this.data=e;this.xy=new Float32Array(2*e.n),this.after=new Float32Array(3*e.n)}data;xy;after;beforeXy=null;box=[];blend=1;three=!1;aspect=1;async show(e,t,n){let i=n?t:t.slice(0,2),s=await Promise.all(i.map(c=>c<e.axes.length?this.data.axis(e.axes[c]):null));if(s.length===1||e.axes.length===1){let c=Math.max(1,this.data.about.datasets.length-1);s[1]=Float32Array.from(this.data.dataset,l=>l/c)}s.length<3&&s.push(null);let{xyz:o,box:a}=PL(s,this.data.n,e.square);if(!e.square&&!n){for(let c=0;c<this.data.n;c++)o[3*c]=.5+(o[3*c]-.5)*this.aspect;a[0]=.5+(a[0]-.5)*this.aspect,a[1]*=this.aspect}this.after=o,this.box=a,this.three=n}hasBefore(){return this.data.about.before.some(Boolean)}async loadBefore(){if(this.beforeXy||!this.hasBefore())return;let{about:e,starts:t}=this.data,n=new Float32Array(2*this.data.n).fill(.5),i=e.datasets.length,s=i<=3?i:Math.ceil(Math.sqrt(i)),o=Math.ceil(i/s);for(let a=0;a<i;a++){let c=e.before[a],l=t[a+1]-t[a],[u,f]=[a%s,Math.floor(a/s)];if(!c){for(let b=t[a];b<t[a+1];b++)n.set([.5+this.aspect*((u+.5)/s-.5),1-(f+.5)/o],2*b);continue}let[d,h]=await Promise.all(c.map(b=>this.data.axis(b))),{xyz:p}=PL([d,h,null],l,!0),m=.9*Math.min(this.aspect/s,1/o);for(let b=0;b<l;b++)n[2*(t[a]+b)]=.5+this.aspect*((u+.5)/s-.5)+m*(p[3*b]-.5),n[2*(t[a]+b)+1]=1-(f+.5)/o+m*(p[3*b+1]-.5)}this.beforeXy=n}place(e){let{xy:t,after:n,beforeXy:i}=this,s=this.data.n,o=i?this.blend*this.blend*(3-2*this.blend):1,[a,c,l,u]=[Math.cos(e.yaw),Math.sin(e.yaw),Math.cos(e.pitch),Math.sin(e.pitch)];for(let f=0;f<s;f++){let[d,h]=[n[3*f],n[3*f+1]];if(this.three){let[p,m,b]=[d-.5,h-.5,n[3*f+2]-.5],w=a*p+c*b,_=-c*p+a*b,x=l*m-u*_,T=1/(1+.35*(u*m+l*_));d=.5+w*T,h=.5+x*T}o<1&&i&&(d=i[2*f]*(1-o)+d*o,h=i[2*f+1]*(1-o)+h*o),t[2*f]=d,t[2*f+1]=h}}home(e,t){let n=Math.min(t,e/Math.max(this.aspect,.001));return{x:.5,y:.5,scale:Math.max(1,(this.three||this.aspect<1?Math.min(e,t):n)*.9),yaw:.6,pitch:.35}}pick(e,t,n,i,s,o,a){let c=(i-t/2)/e.scale+e.x,l=(n/2-s)/e.scale+e.y,u=-1,f=(o/e.scale)**2;for(let d=0;d<this.data.n;d++){let[h,p]=[this.xy[2*d]-c,this.xy[2*d+1]-l],m=h*h+p*p;m<=f&&!a[d]&&([f,u]=[m,d])}return u}inside(e,t,n,i,s){let o=i.map(([c,l])=>[(c-t/2)/e.scale+e.x,(n/2-l)/e.scale+e.y]),a=[];for(let c=0;c<this.data.n;c++){if(s[c])continue;let[l,u]=[this.xy[2*c],this.xy[2*c+1]],f=!1;for(let d=0,h=o.length-1;d<o.length;h=d++){let[[p,m],[b,w]]=[o[d],o[h]];m>u!=w>u&&l<(b-p)*(u-m)/(w-m)+p&&(f=!f)}f&&a.push(c)}return a}};var vV=2e3,AL=100,cu=class{constructor(e){this.data=e;this.scene=new Vh(e),this.hidden=new Uint8Array(e.n),this.overlay=document.createElementNS("http://www.w3.org/2000/svg","svg"),this.overlay.classList.add("overlay"),this.overlay.setAttribute("aria-hidden","true"),this.path=document.createElementNS("http://www.w3.org/2000/svg","path"),this.overlay.append(this.path),this.tip=B("div",{class:"tip",hidden:!0,"aria-hidden":"true"}),this.captionX=B("div",{class:"axis across"}),this.captionY=B("div",{class:"axis up"}),this.corner=B("div",{class:"corner"}),this.element=B("div",{class:"plot",tabindex:0,role:"application","aria-roledescription":"scatter plot","aria-describedby":"plot-keys"}),this.element.append(this.overlay,this.tip,this.captionX,this.captionY,this.corner),this.painter=SL(this.element,e.n,i=>this.withoutWebgl(i));let t=new Uint32Array(e.n);for(let i=0;i<e.n;i++)t[i]=i;let n=12345;for(let i=e.n-1;i>0;i--){n=Math.imul(n,1664525)+1013904223>>>0;let s=n%(i+1);[t[i],t[s]]=[t[s],t[i]]}this.picture={order:t,xy:this.scene.xy,colours:new Uint8Array(4*e.n),radius:3,rings:[],lines:new Uint32Array,lineColour:[120,120,120,120],shade:null,ink:[0,0,0],paper:[255,255,255],version:{places:0,colours:0}},this.listen(),new ResizeObserver(()=>this.resized()).observe(this.element)}data;element;scene;hidden;selected=[];focus=-1;mode="pan";onSelect=()=>{};onPick=()=>{};onLegend=()=>{};painter;camera={x:.5,y:.5,scale:300,yaw:.6,pitch:.35};view=null;axes=[0,1,2];colourKey="dataset";lineKind="none";picture;tip;overlay;path;captionX;captionY;corner;waiting=!1;moving=!1;calm=0;frames=0;get kind(){return this.painter.kind}get drawn(){return this.frames}withoutWebgl(e){this.painter.kind!=="canvas"&&(console.warn(`WebGL failed (${e}); drawing on a plain canvas`),this.painter=TL(this.element),this.later())}size(){return[this.element.clientWidth||1,this.element.clientHeight||1]}width=0;resized(){let[e,t]=this.size();this.width?this.camera.scale*=Math.max(.2,e/this.width):this.home(),this.width=e,this.overlay.setAttribute("viewBox",`0 0 ${e} ${t}`),this.later()}home(){let[e,t]=this.size();this.camera=this.scene.home(e,t),this.replace()}async show(e,t,n){this.view=e,this.axes=t;let[i,s]=this.size();this.scene.aspect=Math.max(.5,Math.min(3,i/s)),await this.scene.show(e,t,n),await this.shade();let o=a=>e.axes[a]?.name??"";this.captionX.textContent=n?"":rr(o(t[0])),this.captionY.textContent=n?"":rr(e.axes.length>1?o(t[1]):"one line per dataset"),await this.colour(this.colourKey),this.replace(),this.describe()}describe(){let e=this.data.about.datasets.map(t=>`${t.shown.toLocaleString("en")} rows of ${t.name}`).join(" and ");this.element.setAttribute("aria-label",rr(`Scatter plot of ${e}. View: ${this.view?.name??""}.`))}async setBlend(e){await this.scene.loadBefore(),this.scene.blend=e;let t=e<.02,n=e<.98;n!==this.element.classList.contains("apart")&&(this.element.classList.toggle("apart",n),this.picture.lines.length&&await this.lines(this.lineKind));let i=this.data.about.datasets.map(s=>s.name).join("   ·   ");this.corner.textContent=t?rr(`before: ${i}, each by itself`):"",this.replace()}async shade(){let e=this.view?.density;if(this.picture.shade=null,!e||this.scene.three||this.axes[0]!==e.axes[0]||this.axes[1]!==e.axes[1])return;let t=await this.data.density(e.part),n=e.side,i=document.createElement("canvas");i.width=i.height=n;let s=i.getContext("2d");if(!s)return;let o=s.createImageData(n,n),a=this.data.about.datasets.length;for(let p=0;p<n*n;p++){let[m,b,w,_]=[0,0,0,0];for(let T=0;T<a;T++){let A=t[T*n*n+p],I=Vn(T);[m,b,w,_]=[m+A*I[0],b+A*I[1],w+A*I[2],_+A]}let E=4*((n-1-Math.floor(p/n))*n+p%n);_&&o.data.set([m/_,b/_,w/_,Math.min(255,_)],E)}s.putImageData(o,0,0);let[c,l]=[this.view.axes[this.axes[0]],this.view.axes[this.axes[1]]],[u,f,d,h]=this.scene.box;this.picture.shade={image:i,bounds:{x0:u+f*c.low,x1:u+f*c.high,y0:d+h*l.low,y1:d+h*l.high}}}async colour(e){this.colourKey=e;let{data:t,picture:n}=this,{about:i}=t,[s,o]=e.split(":"),a=t.n,c=p=>Vn(t.dataset[p]),l={title:"dataset",about:"",words:[],rest:"",scale:null},u=p=>()=>{let m=[];for(let b=0;b<a;b++)!this.hidden[b]&&p(b)&&m.push(b);this.select(m)};if(s==="word"){let p=i.words[Number(o)],{names:m,codes:b}=await t.words(p),w=new Map;b.forEach(x=>w.set(x,(w.get(x)??0)+1)),c=x=>Vn(b[x]>=Du?-1:b[x]),l.title=p.name,l.words=m.slice(0,Du).map((x,E)=>({name:x,colour:Vn(E),count:w.get(E)??0,pick:u(T=>b[T]===E)})),w.get(-1)&&l.words.push({name:"none",colour:Nu(),count:w.get(-1)??0,pick:u(x=>b[x]<0)});let _=m.length-Du+p.others;_>0&&(l.rest=`${_.toLocaleString("en")} further values are grey; the most frequent have colours`)}else if(s==="number"){let p=i.numbers[Number(o)],{share:m,low:b,high:w}=qx(await t.numbers(p));c=_=>qa(m[_]),l.title=p.name,l.about=p.about,l.scale={low:b,high:w},m.some(Number.isNaN)&&(l.rest="grey: no value")}else if(s==="density"){this.scene.place(this.camera);let p=Xx(this.scene.xy,a);c=m=>qa(p[m]),l.title="density",l.about="How many points lie near each point in this picture.",l.scale={low:0,high:1}}else l.words=i.datasets.map((p,m)=>({name:p.name,colour:Vn(m),count:p.shown,pick:u(b=>t.dataset[b]===m)}));if(this.colourKey!==e)return;let f=this.selected.length?new Uint8Array(a):null;this.selected.forEach(p=>f[p]=1);let d=a>5e4?130:a>5e3?165:205,h=s==="dataset";for(let p=0;p<a;p++){let[m,b,w]=c(p),_=h||t.dataset[p]%2===0?d:Math.round(d*.62);f&&(_=f[p]?255:Math.round(_*.18)),n.colours.set([m,b,w,this.hidden[p]?0:_],4*p)}if(n.radius=a>5e4?1.6:a>1e4?2.2:a>2e3?3:a>300?3.8:5,n.ink=Er()?[240,243,246]:[31,35,40],n.paper=Er()?[13,17,23]:[255,255,255],n.version={...n.version,colours:n.version.colours+1},!h&&i.datasets.length>1){let p=i.datasets.filter((m,b)=>b%2===1).map(m=>m.name).join(", ");l.rest=[l.rest,`lighter points: ${p}`].filter(Boolean).join("; ")}this.onLegend(l),this.later()}recolour(){return this.shade().then(()=>this.colour(this.colourKey))}toggle(e,t){this.hidden.fill(t?0:1,this.data.starts[e],this.data.starts[e+1]),this.lines(this.lineKind).then(()=>this.colour(this.colourKey))}async lines(e){this.lineKind=e;let{data:t,picture:n,hidden:i}=this,{about:s}=t,o=[],a="",c=await t.links(s.pairs),l=await t.links(s.truth),u=p=>{for(let m=0;m<p.length;m+=2)!i[p[m]]&&!i[p[m+1]]&&o.push(p[m],p[m+1])};if(e==="known")u(c),a=`${(o.length/2).toLocaleString("en")} known pairs`;else if(e==="matched"||e==="wrong"){let p=await t.nearest();if(e==="matched"){for(let m=0;m<t.n;m++){let b=p[m];b>m&&p[b]===m&&!i[m]&&!i[b]&&o.push(m,b)}a=`${(o.length/2).toLocaleString("en")} pairs of rows that are each other's nearest`}else{let m=new Map,b=_=>{for(let x=0;x<_.length;x+=2)m.set(_[x],[...m.get(_[x])??[],_[x+1]]),m.set(_[x+1],[...m.get(_[x+1])??[],_[x]])};b(c),b(l);let w=0;for(let[_,x]of m){let E=p[_];E<0||i[_]||i[E]||x.some(T=>t.dataset[T]===t.dataset[E])&&(w++,x.includes(E)||o.push(_,E))}a=w?`${(o.length/2).toLocaleString("en")} of ${w.toLocaleString("en")} rows with a known partner are nearest to another row`:"no row on this page has a known partner, so none can be wrong"}}if(this.lineKind!==e)return"";let f=this.element.classList.contains("apart")?AL:vV;if(o.length/2>f){let p=o,m=p.length/2/f;o=[];for(let b=0;b<f;b++){let w=2*Math.floor(b*m);o.push(p[w],p[w+1])}a+=`; ${f.toLocaleString("en")} are drawn`}n.lines=Uint32Array.from(o);let d=o.length>400||f===AL,h=Er();return n.lineColour=e==="wrong"?[h?255:200,h?110:30,h?100:30,d?110:190]:[h?200:80,h?205:86,h?212:94,d?60:130],this.later(),a}select(e){this.selected=e,this.colour(this.colourKey),this.onSelect(e)}mark(e,t=[]){if(this.focus=e,this.picture.rings=e<0?[]:[e,...t.slice(0,1)],e>=0){let[n,i]=this.size(),s=(this.scene.xy[2*e]-this.camera.x)*this.camera.scale,o=(this.scene.xy[2*e+1]-this.camera.y)*this.camera.scale;(Math.abs(s)>.48*n||Math.abs(o)>.48*i)&&(this.camera.x=this.scene.xy[2*e],this.camera.y=this.scene.xy[2*e+1])}this.later()}zoom(e,t,n){let[i,s]=this.size(),[o,a]=[(t??i/2)-i/2,s/2-(n??s/2)],c=Math.max(.15*Math.min(i,s),Math.min(4e6,this.camera.scale*e));this.camera.x+=o/this.camera.scale-o/c,this.camera.y+=a/this.camera.scale-a/c,this.camera.scale=c,this.move()}pan(e,t){this.scene.three&&this.scene.blend>.98?(this.camera.yaw+=e*.008,this.camera.pitch=Math.max(-1.5,Math.min(1.5,this.camera.pitch+t*.008)),this.replace()):(this.camera.x-=e/this.camera.scale,this.camera.y+=t/this.camera.scale),this.move()}move(){this.moving=!0,clearTimeout(this.calm),this.calm=window.setTimeout(()=>{this.moving=!1,this.later()},160),this.tip.hidden=!0,this.later()}replace(){this.scene.place(this.camera),this.picture.version={...this.picture.version,places:this.picture.version.places+1},this.later()}later(){this.waiting||(this.waiting=!0,requestAnimationFrame(()=>{this.waiting=!1,this.painter.draw(this.picture,this.camera,this.moving),this.frames++}))}snapshot(){return this.painter.snapshot()}screen(e){let[t,n]=this.size();return[(this.scene.xy[2*e]-this.camera.x)*this.camera.scale+t/2,n/2-(this.scene.xy[2*e+1]-this.camera.y)*this.camera.scale]}listen(){let e=this.element,t=l=>{let u=e.getBoundingClientRect();return[l.clientX-u.left,l.clientY-u.top]},n=null,i=[0,0],s=[],o=0,a=new Map;e.addEventListener("pointerdown",l=>{l.button===0&&(e.setPointerCapture(l.pointerId),a.set(l.pointerId,t(l)),i=n=t(l),s=[i],o=0)}),e.addEventListener("pointermove",l=>{let u=t(l);if(!n){this.hover(u);return}if(o+=Math.hypot(u[0]-n[0],u[1]-n[1]),a.size===2){let[[,f],[,d]]=[...a],h=Math.hypot(f[0]-d[0],f[1]-d[1]);a.set(l.pointerId,u);let[[,p],[,m]]=[...a];this.zoom(Math.hypot(p[0]-m[0],p[1]-m[1])/(h||1),(p[0]+m[0])/2,(p[1]+m[1])/2);return}this.mode==="pan"?this.pan(u[0]-n[0],u[1]-n[1]):(s=this.mode==="lasso"?[...s,u]:[i,[u[0],i[1]],u,[i[0],u[1]]],this.path.setAttribute("d",`M${s.map(f=>f.join(" ")).join("L")}Z`)),n=u});let c=l=>{if(a.delete(l.pointerId),!n)return;let u=t(l),f=o<4,[d,h]=this.size();if(f&&l.type==="pointerup"){let p=this.scene.pick(this.camera,d,h,u[0],u[1],l.pointerType==="touch"?18:9,this.hidden);this.onPick(p)}else this.mode!=="pan"&&s.length>2&&this.select(this.scene.inside(this.camera,d,h,s,this.hidden));this.path.setAttribute("d",""),n=null};e.addEventListener("pointerup",c),e.addEventListener("pointercancel",c),e.addEventListener("pointerleave",()=>this.tip.hidden=!0),e.addEventListener("wheel",l=>{l.preventDefault(),this.zoom(Math.exp(-Math.max(-60,Math.min(60,l.deltaY))*.004),...t(l))},{passive:!1}),e.addEventListener("dblclick",l=>this.zoom(2,...t(l))),e.addEventListener("keydown",l=>{let u=l.shiftKey?120:40,d={ArrowLeft:()=>this.pan(u,0),ArrowRight:()=>this.pan(-u,0),ArrowUp:()=>this.pan(0,u),ArrowDown:()=>this.pan(0,-u),"+":()=>this.zoom(1.3),"=":()=>this.zoom(1.3),"-":()=>this.zoom(1/1.3),0:()=>this.home(),Escape:()=>this.select([])}[l.key];d&&!l.ctrlKey&&!l.metaKey&&!l.altKey&&(l.preventDefault(),d())})}hovering=!1;hover(e){this.hovering||(this.hovering=!0,requestAnimationFrame(()=>{this.hovering=!1;let[t,n]=this.size(),i=this.scene.pick(this.camera,t,n,e[0],e[1],7,this.hidden);this.tip.hidden=i<0,!(i<0)&&(this.tip.replaceChildren(je(this.data.name(i)),B("span",{},this.data.about.datasets[this.data.dataset[i]].name)),this.tip.style.left=`${Math.min(e[0]+12,t-180)}px`,this.tip.style.top=`${Math.max(4,e[1]-40)}px`)}))}};var V_=200,W_=30,lu=class{constructor(e,t,n){this.data=e;this.plot=t;this.say=n;let i=B("input",{type:"search",placeholder:"id, label, word or text",autocomplete:"off",spellcheck:"false"}),s=0;i.addEventListener("input",()=>{clearTimeout(s),s=window.setTimeout(()=>{this.search(i.value)},120)});let o=B("form",{role:"search",submit:a=>{a.preventDefault(),this.search(i.value)}},B("label",{},B("span",{},"Find a row"),i));this.element=B("div",{class:"side"},o,this.status,this.results,this.details,this.selection),this.empty(),this.select([]),t.onPick=a=>this.show(a),t.onSelect=a=>this.select(a)}data;plot;say;element;details=B("section",{class:"details","aria-label":"Details of a row","aria-live":"polite",tabindex:0});selection=B("section",{class:"selection","aria-label":"Selected rows"});results=B("ul",{class:"results","aria-label":"Rows found"});status=B("p",{class:"hint",role:"status"});empty(){nr(this.details,B("h2",{},"A row"),B("p",{class:"hint"},"Click a point, or find a row by its id, to see its partners in the other dataset."))}async search(e){let t=e.trim().toLowerCase();if(nr(this.results),this.status.textContent="",!t)return;let{data:n}=this,i=[],s=new Set,o=0,a=c=>{s.has(c)||(s.add(c),o++,i.length<W_&&i.push(c))};for(let c=0;c<n.n;c++)n.name(c).toLowerCase()===t&&a(c);for(let c=0;c<n.n;c++)n.name(c).toLowerCase().includes(t)&&a(c);for(let c of n.about.words){let{names:l,codes:u}=await n.words(c),f=new Set(l.flatMap((d,h)=>d.toLowerCase().includes(t)?[h]:[]));if(f.size)for(let d=0;d<n.n;d++)f.has(u[d])&&a(d)}for(let c of await n.withFeature(t,5e3))a(c);for(let c=0;c<n.about.datasets.length;c++)(await n.texts(c))?.forEach((u,f)=>u.toLowerCase().includes(t)&&a(n.starts[c]+f));this.status.textContent=o===0?"no row found":o>W_?`${ir(o,"row")} found, the first ${W_} listed`:`${ir(o,"row")} found`,dn(this.results,i.map(c=>B("li",{},this.link(c)))),o>1&&dn(this.results,[B("li",{},B("button",{type:"button",class:"all",click:()=>this.plot.select([...s])},`Select all ${ir(o,"row")}`))])}link(e,t=!1){let n=t?null:B("span",{class:"quiet"},this.data.about.datasets[this.data.dataset[e]].name);return B("button",{type:"button",class:"row",click:()=>{this.show(e)}},je(this.data.name(e)),n)}linkTo(e,t){let n=this.data.point(e,t);return n<0?`row ${t}`:this.link(n,!0)}turn=0;async show(e){let{data:t}=this,n=++this.turn,{about:i}=t;if(e<0){this.plot.mark(-1),this.empty();return}let s=t.dataset[e],o=[["dataset",je(i.datasets[s].name)],["row",String(t.row(e))]];for(let p of i.words){let{names:m,codes:b}=await t.words(p);o.push([je(p.name),b[e]<0?"none":je(m[b[e]])])}let a=[];for(let p of i.numbers){let m=(await t.numbers(p))[e];Number.isFinite(m)&&(p.group==="feature"?a:o).push([je(p.name),Me(m)])}let c=p=>B("dl",{},...p.flatMap(([m,b])=>[B("dt",{},m),B("dd",{},b)])),l=[c(o)],u=new Set;for(let[p,m]of[[i.pairs,"known pair"],[i.truth,"true pair"]]){let b=await t.links(p);for(let w=0;w<b.length;w+=2){let _=b[w]===e?b[w+1]:b[w+1]===e?b[w]:-1;_<0||u.has(_)||(u.add(_),l.push(B("p",{},`${m}: `,this.link(_))))}}let f=[];for(let p of i.partners.filter(m=>m.from===s)){let m=await t.partners(p,e),b=i.datasets[p.to].name,w=x=>{let E=t.point(p.to,x);return E>=0&&u.has(E)?"its pair":""},_=m.map(({row:x,distance:E},T)=>[String(T+1),this.linkTo(p.to,x),Me(E),w(x)]);f.push(...m.map(({row:x})=>t.point(p.to,x)).filter(x=>x>=0)),l.push(B("h3",{},"Nearest rows of ",je(b))),l.push(_.length?Sr(`Nearest rows of ${b}`,["","row","distance",""],_,[0,2]):B("p",{class:"hint"},"The partners of this row were not computed."))}let d=await t.features(e);d&&l.push(B("h3",{},"Features"),B("p",{class:"words"},...d.list.flatMap(([p,m])=>[B("span",{},je(p),B("small",{},Me(m)))," "])),B("p",{class:"hint"},d.about));let h=(await t.texts(s))?.[e-t.starts[s]];a.length&&l.push(B("details",{open:!d},B("summary",{},"Values of the features to colour by"),c(a))),h&&l.push(B("h3",{},"Text"),B("blockquote",{dir:"auto"},h)),n===this.turn&&(nr(this.details,B("h2",{},je(t.name(e))),...l),this.plot.mark(e,f))}async select(e){let{data:t}=this;if(this.say(e.length?`${ir(e.length,"row")} selected`:""),!e.length){nr(this.selection,B("h2",{},"Selection"),B("p",{class:"hint"},"Choose Box or Lasso and drag over the picture, or click a name in the legend."));return}let n=t.about.words[0],i=n?await t.words(n):null,s=t.about.partners.length?await t.nearest():null,o=l=>s&&s[l]>=0?this.link(s[l],t.about.datasets.length<3):"–",a=e.slice(0,V_).map(l=>[this.link(l),...i?[i.codes[l]<0?"none":je(i.names[i.codes[l]])]:[],...s?[o(l)]:[]]),c=t.about.datasets.map((l,u)=>`${e.filter(f=>t.dataset[f]===u).length.toLocaleString("en")} of ${l.name}`);nr(this.selection,B("h2",{},`${ir(e.length,"row")} selected`),B("p",{class:"hint"},`${c.join(", ")}${e.length>V_?`; the first ${V_} are listed`:""}`),this.inBoth(e,s),B("div",{class:"buttons"},B("button",{type:"button",click:()=>{this.export(e)}},"Export CSV"),B("button",{type:"button",click:()=>this.plot.select([])},"Clear")),Sr("Selected rows",["row",...i?[n.name]:[],...s?["nearest"]:[]],a))}inBoth(e,t){if(!t)return null;let n=new Set(e),i=e.filter(s=>n.has(t[s])).length;return B("p",{class:"hint"},`${To(i/e.length)} have their nearest row of the other dataset in the selection`)}async export(e){let{data:t}=this,{about:n}=t,i=await Promise.all(n.words.map(h=>t.words(h))),s=await Promise.all(n.numbers.map(h=>t.numbers(h))),o=n.partners.length?await t.nearest():null,a=h=>{let p=/^[=+\-@\t\r]/.test(h)&&!Number.isFinite(Number(h))?`'${h}`:h;return/[",\n\r]/.test(p)?`"${p.replaceAll('"','""')}"`:p},c=["dataset","row","id",...n.words.map(h=>h.name),...o?["nearest_dataset","nearest_id"]:[],...n.numbers.map(h=>h.name)],l=e.map(h=>{let p=[n.datasets[t.dataset[h]].name,String(t.row(h)),t.name(h)];return p.push(...i.map(m=>m.codes[h]<0?"":m.names[m.codes[h]])),o&&p.push(...o[h]<0?["",""]:[n.datasets[t.dataset[o[h]]].name,t.name(o[h])]),p.push(...s.map(m=>Number.isFinite(m[h])?String(m[h]):"")),p.map(a).join(",")}),u=[c.map(a).join(","),...l].join(`\r
`)+`\r
`,f=URL.createObjectURL(new Blob([u],{type:"text/csv;charset=utf-8"})),d=B("a",{href:f,download:"selection.csv"});document.body.append(d),d.click(),d.remove(),setTimeout(()=>URL.revokeObjectURL(f),1e4)}};function EV(r){let e=B("button",{type:"button",class:"theme"}),t=()=>e.textContent=Er()?"Light":"Dark";return e.setAttribute("aria-label","Switch between light and dark"),e.addEventListener("click",()=>{document.documentElement.dataset.theme=Er()?"light":"dark",t(),r()}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>{t(),r()}),t(),e}async function SV(){let r=document.getElementById("app");if(typeof DecompressionStream>"u")throw new Error("this browser is too old to unpack the data");let e=await zu.open(),{about:t}=e,n=()=>{},i=()=>{n(),Xa()};if(document.querySelector(".head")?.append(EV(i)),!t.views.length||!e.n){nr(r,B("p",{class:"empty"},"There are no rows to show: the model was saved without them."));let h=new lu(e,new cu(e),()=>{});r.append(Wp(e,h)),Xa();return}let s=new cu(e),o=B("p",{class:"status",role:"status"}),a=h=>o.textContent=rr(h),c=Kx(e,s,a),l=new lu(e,s,a),u=B("p",{class:"hint keys-hint",id:"plot-keys"},"Keys: arrows move, + and − zoom, 0 resets, Escape clears the selection."),f=B("img",{class:"printed",alt:"The joint space"});nr(r,B("section",{class:"explore","aria-label":"The joint space"},B("div",{class:"stage"},c.element,B("div",{class:"frame"},s.element,c.zooms,f),c.legend,o,u),l.element)),n=()=>{s.recolour()},await c.ready,requestAnimationFrame(()=>requestAnimationFrame(()=>{document.documentElement.dataset.ready=s.kind,document.documentElement.dataset.seconds=(performance.now()/1e3).toFixed(3)})),await e.loadIds(),r.append(Wp(e,l)),Xa();let d=0;new ResizeObserver(()=>{Math.abs(document.body.clientWidth-d)<8||(d=document.body.clientWidth,Xa())}).observe(document.body),addEventListener("beforeprint",()=>f.src=s.snapshot()),document.documentElement.dataset.complete="yes",globalThis.landbridge={plot:s,data:e}}SV().catch(r=>{let e=document.getElementById("app"),t=r instanceof Error?r.message:String(r);e&&nr(e,B("p",{class:"empty",role:"alert"},`The page could not be shown: ${t}.`)),document.documentElement.dataset.ready="failed"});})();
