// The search of the site runs in a worker. Browsers start no worker for a page that was opened from disk, so there it runs in a
// hidden frame. The script of the search looks for the name IFrameWorker to find out.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.addEventListener("load", () => this.start(String(url)), { once: true });
      this.frame.srcdoc = "<!doctype html><title>search</title>";
      document.body.appendChild(this.frame);
    }

    start(url) {
      const inside = this.frame.contentWindow;
      const load = (from) =>
        new Promise((done, failed) => {
          const script = inside.document.createElement("script");
          script.src = from;
          script.onload = done;
          script.onerror = () => failed(new Error(`cannot load ${from}`));
          inside.document.body.appendChild(script);
        });
      inside.importScripts = (...urls) => urls.reduce((before, from) => before.then(() => load(from)), Promise.resolve());
      // What the script posts goes to the page, not to its own frame.
      inside.postMessage = (data) => this.answer("message", { data });
      load(url).then(
        () => {
          this.ready = true;
          this.waiting.splice(0).forEach((data) => this.postMessage(data));
        },
        (error) => this.answer("error", { error, message: error.message }),
      );
    }

    answer(type, fields) {
      const event = type === "message" ? new MessageEvent(type, fields) : new ErrorEvent(type, fields);
      this.dispatchEvent(event);
      this[`on${type}`]?.(event);
    }

    postMessage(data) {
      if (!this.ready) return void this.waiting.push(data);
      const inside = this.frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
