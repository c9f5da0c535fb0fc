// Board files: which ones there are, opening one to change it, and saving.

import { AGAIN_MS, getJson, post, Refused } from "./api.js";
import { byId, h } from "./dom.js";
import { ask, say } from "./set_up.js";

const LARGEST = 150_000; // characters; the server takes no more

export class BoardFiles {
  /** drawing: what is opened into and saved from; body: gives it as the server takes it; opening: told before. */
  constructor(drawing, body, opening) {
    this.opening = opening;
    this.askedFor = null; // as goal has it: what may be replaced
    this.drawing = drawing;
    this.body = body;
    byId("save").addEventListener("click", () => this.save(false));
    byId("replace").addEventListener("click", () => this.save(this.askedFor === this.goal)); // another name since: asked anew
    byId("open").addEventListener("click", () => this.open({ file: byId("open-which").value }));
    byId("open-file").addEventListener("change", async (event) => {
      const [file] = event.target.files;
      event.target.value = "";
      if (!file) return;
      const text = file.size <= LARGEST ? await file.text() : "";
      if (text) await this.open({ text });
      else this.tell(say("boards.no_board_file"));
    });
  }

  tell(text) {
    byId("opened").textContent = text;
  }

  /** True where the file that is open has markers of its own. */
  get ownMarkers() {
    return Boolean(this.drawing.now.own_markers);
  }

  /** What tells which file would be written. */
  get goal() {
    return JSON.stringify([this.body().name, this.drawing.now.file]);
  }

  async showList() {
    const found = await getJson("/api/boards").catch(() => null);
    if (!found) { // the list stays as it is until there is a line
      setTimeout(() => this.showList(), AGAIN_MS);
      return;
    }
    const { boards } = found;
    const chosen = byId("open-which").value;
    byId("open-which").replaceChildren(...boards.map(({ file, name, shipped }) => {
      const shown = name === null ? say("boards.unreadable", { file }) : shipped ? say("boards.shipped", { name }) : `${name} (${file}.toml)`;
      return h("option", { value: file }, shown);
    }));
    if (boards.some(({ file }) => file === chosen)) byId("open-which").value = chosen;
  }

  async open(which) {
    const opened = await ask("/api/boards/open", which, (text) => this.tell(text));
    if (!opened) return;
    this.showSaved("");
    this.opening();
    this.drawing.open(opened.drawing);
    const said = [say("boards.opened", { name: opened.drawing.measures.name })];
    if (opened.unknown.length) said.push(say("boards.kept_unknown", { fields: opened.unknown.join(", ") }));
    if (!opened.remarks) said.push(say("boards.remarks_lost"));
    this.tell(said.join(" "));
  }

  showSaved(text) {
    byId("saved").textContent = text;
    byId("download").hidden = true;
    byId("replace").hidden = true;
  }

  async save(replace) {
    const { goal } = this;
    try {
      const saved = await post("/api/boards/save", { ...this.body(), file: this.drawing.now.file, replace });
      this.showSaved(say("boards.saved", { path: saved.path }));
      byId("download").href = saved.address;
      byId("download").hidden = false;
      this.drawing.saved(saved.file);
      await this.showList();
    } catch (error) {
      const there = error instanceof Refused && error.rule === "board_exists";
      this.showSaved(there ? say("boards.exists", { path: error.message }) : (error instanceof Refused && error.message) || say("boards.failed"));
      byId("replace").hidden = !there;
      this.askedFor = goal;
    }
  }
}
