// Texts that would do something if a page took them for more than text.
const markup = [
  "</script><script>alert(1)</script>", "</ScRiPt ><script>alert(1)</script>", "<script>alert(1)</script>", "<!--", "-->", "<!--<script>", "]]>", "<![CDATA[",
  "<img src=x onerror=alert(1)>", "<img src='x' onerror='alert(1)'>", "<IMG SRC=javascript:alert(1)>", "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>", "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>", "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe src=javascript:alert(1)>", "<iframe srcdoc='<script>alert(1)</script>'>", "<object data=javascript:alert(1)>", "<embed src=javascript:alert(1)>", "<base href=//example.invalid/>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>", "<link rel=stylesheet href=//example.invalid/x.css>", "<style>@import '//example.invalid/x.css'</style>",
  "<style>*{background:url(//example.invalid/x)}</style>", "</style><script>alert(1)</script>", "</title><script>alert(1)</script>", "</textarea><script>alert(1)</script>",
  "</noscript><script>alert(1)</script>", "</template><script>alert(1)</script>", "<details open ontoggle=alert(1)>", "<body onload=alert(1)>", "<input autofocus onfocus=alert(1)>",
  "<select autofocus onfocus=alert(1)>", "<video><source onerror=alert(1)>", "<audio src=x onerror=alert(1)>", "<marquee onstart=alert(1)>", "<form action=javascript:alert(1)><button>x</button></form>",
  "<button formaction=javascript:alert(1)>x</button>", "<a href=javascript:alert(1)>x</a>", "<a href='data:text/html,<script>alert(1)</script>'>x</a>", "<template><script>alert(1)</script></template>",
  "<portal src=//example.invalid>", "<x onclick=alert(1) style=position:fixed;inset:0>x</x>", "<plaintext>", "<xmp>", "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
];
const attributes = [
  "\"onmouseover=alert(1) x=\"", "'onmouseover=alert(1) x='", "\" autofocus onfocus=alert(1) \"", "' style='background:url(//example.invalid)'", "\"><script>alert(1)</script>",
  "'><script>alert(1)</script>", "`onerror=alert(1)`", "x\" srcdoc=\"<script>alert(1)</script>", "\"></svg><script>alert(1)</script>", "' onload='alert(1)",
];
const addresses = [
  "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:msgbox(1)", "//example.invalid/x",
  "https://example.invalid/x", "file:///etc/passwd", "blob:null/1", "mailto:a@example.invalid", "url(javascript:alert(1))",
];
const scripts = [
  "';alert(1);'", "\";alert(1);\"", "`${alert(1)}`", "${alert(1)}", "\\';alert(1);//", "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e", "{{constructor.constructor('alert(1)')()}}",
  "{{7*7}}", "#{7*7}", "<%= 7*7 %>", "__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "[object Object]", "undefined", "null", "NaN", "true", "-0", "1e309",
];
const formulas = ["=1+1", "=HYPERLINK(\"//example.invalid\")", "+1+1", "@SUM(1)", "-1+1|cmd", "=cmd|' /C calc'!A0"];
const letters = [
  "a\u2028b", "a\u2029b", "a\u0085b", "a\u00a0b", "a\u200bb", "a\ufeffb", "a\u202eb\u202cc", "\u202ealert(1)", "\u2066a\u2069", "\u0627\u0644\u0639\u0631\u0628\u064a\u0629", "\u05e2\u05d1\u05e8\u05d9\u05ea <b>",
  "\u65e5\u672c\u8a9e", "\ud83e\udd80\ud83c\udf09", "e\u0301\u0302\u0303\u0304\u0305", "Z\u0351\u0352a\u0353l\u0354g\u0355o", "\ufffd", "\uff1cscript\uff1e", "a&b", "&lt;script&gt;", "&#60;script&#62;", "&amp;lt;", "%3Cscript%3E",
  "a\\b", "a/b", "a|b", "a;b", "a%00b", "a\tb", "../../etc/passwd", "C:\\con", "x".repeat(10_000), "<b>".repeat(500), "\u0301".repeat(200), "()[]{}*+?.^$|\\", "'\"`", "--", "/* */", "//", "<?php", "?>", "<%", "%>",
];
const listed = [...markup, ...attributes, ...addresses, ...scripts, ...formulas, ...letters];
// The same within other text, as file names and labels have it.
const wrapped = markup.map((text, i) => [`file ${text}.csv`, `${text}${attributes[i % attributes.length]}`]).flat();
export const payloads = [...new Set([...listed, ...wrapped])].slice(0, 230);
