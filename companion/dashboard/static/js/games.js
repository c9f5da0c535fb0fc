// The page of the games kept by taps: seats, the board in its own form, legal actions, a new match.

import { loadAnew } from "./anew.js";
import { AGAIN_MS, command, getJson, post } from "./api.js";
import { byId, h, redraw } from "./dom.js";
import { Actions } from "./games_actions.js";
import { Earlier } from "./games_earlier.js";
import { Free } from "./games_free.js";
import { attemptOnce, toast } from "./link.js";
import { Meant, untouched } from "./presses.js";
import { SameMatch } from "./same_match.js";
import { teamLook } from "./shapes.js";
import { choiceTerm, learn, meet, refused, spoken, term } from "./games_terms.js";
import { Tell } from "./tell.js";
import { colon, counted, isolated, nameAndSide, teamName, told } from "./texts.js";
import { takeBack } from "./undo.js";

const DRAWN = ["armadora", "paleo", "paper_tales", "sacrifice", "zargo"];
const COLOURED = ["armadora", "sacrifice", "zargo"]; // games on whose board each side has a colour
const SIDES = ["var(--accent)", "var(--bad)", "var(--good)", "var(--brass)"]; // as games.css paints .side0 to .side3
const LINES = 30; // of the log: the newest, and they come first
const PEOPLES = ["knights", "dragons", "winged", "monks"];

/** The fields for the players' names in a place. @returns {HTMLInputElement[]} */
const names = (place) => [...place.querySelectorAll("input[name^='player:']")];

export class Games {
  constructor(boot) {
    this.w = boot.words;
    this.board = boot.board;
    this.plays = boot.me.role !== "spectator"; // who only watches begins nothing
    learn(boot.terms);
    this.tell = new Tell(boot.board);
    this.earlier = new Earlier(this.w);
    this.free = new Free(this.w, boot.me, () => this.refresh());
    this.actions = new Actions((type, data) => this.act(type, data));
    this.seat = null;
    this.seats = { match: 0, seats: [], held: [], holdings: {}, mine: [] };
    this.own = null;
    this.drawn = null; // the seat that the board was drawn for
    this.shown = null;
    this.drawers = {};
    this.asked = 0;
    this.shelves = 0;
    this.known = null;
    this.registry = null;
    this.missed = new Set();
    this.pausing = new Meant();
    const box = byId("games-begin-box"); // what was typed stays in it
    this.idle = undefined; // whether no match is on
    this.offered = false; // whether the page opened it by itself, and nobody has touched it since
    box.addEventListener("input", () => { this.offered = false; });
    box.addEventListener("click", () => { this.offered = false; });
    this.beginning = new SameMatch(() => box.open && !this.offered, () => { box.open = false; });
    this.beginForm();
  }

  /** A newer scoreboard: seats and the own view are asked for anew, then all is drawn. */
  async show(score) {
    if (this.shown === score.last_id) return;
    this.shown = score.last_id;
    this.beginning.show(score);
    this.tell.show(score);
    await this.refresh(score);
  }

  /** What an address answers; null where the line or the seat was lost: what there is instead is drawn with the next news. */
  async ask(url) {
    try {
      return await getJson(url);
    } catch {
      this.shown = null;
      return null;
    }
  }

  async refresh(score = this.score) {
    this.score = score;
    const asked = ++this.asked; // answers may overtake each other: only those to the last question are shown
    await this.beginForm();
    const seats = await this.ask("/api/seats");
    if (!seats || asked !== this.asked) return;
    this.hold(seats);
    if (!this.seats.mine.includes(this.seat)) this.seat = this.seats.mine[0] ?? null;
    const acting = this.seats.mine.find((seat) => seat === score.turn);
    if (acting) this.seat = acting;
    const own = this.seat ? await this.ask(`/api/seat/${this.seat}`) : null;
    if (this.seat && !own) return;
    if (await this.draw(own, asked)) await this.drawShelf();
  }

  /** Who holds which seat now; a seat of this screen's that somebody freed is told, and what was open about it closes. */
  hold(seats) {
    const before = this.seats;
    this.seats = seats;
    this.earlier.hold(seats.mine);
    this.free.show(seats);
    if (seats.match === before.match && before.mine.some((seat) => !seats.mine.includes(seat))) toast(this.w.freed);
  }

  /** Draws all at once, as what comes later would move what lies below it under a finger; false where something newer was
   * asked for meanwhile. */
  async draw(own, asked) {
    const view = own ?? this.score;
    const place = byId("games-board");
    const tapped = DRAWN.includes(view.game);
    const draw = tapped ? await this.drawer(view.game) : () => place.replaceChildren();
    await untouched();
    if (asked !== this.asked) return false;
    this.own = own;
    this.drawn = this.seat; // what is tapped is meant for this one, although another one's turn is being fetched
    meet(view);
    byId("games-what").textContent = view.game ? this.title(view.game) : this.w.title;
    this.say(view);
    this.drawSeats(view);
    this.offer(view);
    const lines = this.score.log.slice(-LINES).reverse().map((line) => h("li", {}, spoken(told(line))));
    byId("games-log").replaceChildren(...lines);
    byId("games-log").parentElement.hidden = lines.length === 0;
    draw?.(place, view, this.tools());
    this.drawActions(tapped ? view : null);
    this.earlier.show(this.score, this.seat);
    return true;
  }

  /** Where no match is on, one is to be begun; once one is, what nobody has touched is put away again. */
  offer({ game }) {
    if (this.idle === !game) return;
    this.idle = !game;
    const box = byId("games-begin-box");
    if (this.idle && this.plays && !box.open) box.open = this.offered = true;
    else if (!this.idle && this.offered) box.open = this.offered = false;
  }

  /** Matches that were left unfinished, to be taken up again. */
  async drawShelf() {
    const turn = ++this.shelves;
    const found = await this.ask("/api/shelf");
    await untouched();
    if (!found || turn !== this.shelves) return;
    const { matches } = found;
    const place = byId("games-shelf");
    place.parentElement.hidden = matches.length === 0;
    place.replaceChildren(...matches.map((match) => h("li", {},
      h("span", { class: "grow" }, `${this.title(match.game)} · ${new Date(match.begun).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" })}${match.players.length ? ` · ${match.players.map(teamName).join(", ")}` : ""}`),
      h("button", { type: "button", "data-resume": match.id, onclick: () => attemptOnce(() => command("resume_match", { of: match.id, seen: this.score.last_id })) }, this.w.take_up))));
  }

  /** What draws a game's board; null where the line was lost while it was fetched. A browser does not try that script
   * again, so that the page is loaded anew as soon as there is a line. */
  async drawer(game) {
    try {
      this.drawers[game] ??= (await import(`./game_${game}.js`)).draw;
      return this.drawers[game];
    } catch {
      this.shown = null;
      if (this.missed.has(game)) this.loadWhenFree(game); // the second time something else was answered just before
      this.missed.add(game);
      return null;
    }
  }

  /** Loads the page anew for a game's board, as soon as nothing is being filled in that would be lost by it. */
  loadWhenFree(game) {
    clearTimeout(this.waits);
    if (this.score.game !== game) return; // another one was begun meanwhile
    if (!this.beginning.open() && !document.querySelector("dialog[open]")) loadAnew();
    else this.waits = setTimeout(() => this.loadWhenFree(game), AGAIN_MS);
  }

  /** What a board needs: words, the seat, its legal actions, and how to act. */
  tools() {
    const moves = this.own?.moves ?? [];
    return { w: this.w, seat: this.seat, board: this.board, moves, act: (type, data = {}, hear) => this.act(type, data, hear) };
  }

  /** hear: is told why it was refused, where it was, and says whether it shows that; else a short message does. */
  act(type, data, hear = (_why) => false) {
    const read = (text) => {
      const why = refused(text);
      return hear(why) ? null : why;
    };
    return attemptOnce(() => post(`/api/seat/${this.drawn}/act`, { type, data }), read);
  }

  title(game) {
    return told(this.registry?.find((one) => one.name === game)?.title) || game;
  }

  say(view) {
    let text = this.w.none;
    if (view.winners?.length || view.phase === "match_over") text = `${this.w.over} ${told(view.reason)}`;
    else if (view.game === "paleo") text = view.kept_by === "taps" ? this.w.paleo_taps : this.w.paleo_camera;
    else if (view.game && !this.seat) text = this.w.watching;
    else if (this.own) text = this.own.waiting.includes(this.seat) ? this.w.your_turn : this.w.wait;
    byId("games-say").textContent = isolated(text);
  }

  drawSeats(view) {
    const seats = view.game === "paleo" ? view.players.map((player) => player.team) : this.seats.seats;
    const rows = seats.map((seat) => {
      const player = view.players.find((one) => one.team === seat) ?? { name: seat, points: 0 };
      const mine = this.seats.mine.includes(seat);
      const acts = this.own ? this.own.waiting.includes(seat) : view.turn === seat;
      const button = view.game === "paleo" ? null : mine
        ? h("button", { type: "button", "data-seat": seat, "aria-pressed": seat === this.seat, onclick: () => this.choose(seat) }, this.w.yours)
        : this.seats.held.includes(seat)
          ? h("small", {}, this.w.held)
          : h("button", { type: "button", "data-seat": seat, onclick: () => this.take(seat) }, this.w.take);
      const leave = mine ? h("button", { type: "button", "data-leave": seat, onclick: () => this.leave(seat) }, this.w.leave) : null;
      const who = nameAndSide(player.name, seat);
      const free = !mine && this.seats.held.includes(seat) ? this.free.button(this.seats, seat, who) : null;
      const text = `${who} · ${counted(player.points, view.game === "zargo" ? this.w.cities : this.w.points)}`;
      const clock = this.seats.clocks ? h("span", { class: "clock", "data-clock": seat }) : null;
      const row = h("li", { "data-acts": acts ? "yes" : "no" }, h("span", { class: "grow" }, text), clock, button, leave, free);
      const place = view.game === "zargo" ? PEOPLES.indexOf(seat) : seats.indexOf(seat);
      if (COLOURED.includes(view.game)) row.style.setProperty("--team", SIDES[place]);
      if (view.game === "paleo") row.style.setProperty("--team", teamLook(this.board, seat).colour);
      return row;
    });
    redraw(byId("games-seats"), ...rows);
    byId("games-seats").parentElement.hidden = rows.length === 0;
    this.clocksAt = performance.now();
    this.tick();
  }

  /** The clocks between two answers of the server: those whose time runs go on by this page's own clock. */
  tick() {
    const clocks = this.seats.clocks;
    clearTimeout(this.ticking);
    if (!clocks) return;
    const passed = (performance.now() - this.clocksAt) / 1000;
    for (const [seat, seconds] of Object.entries(clocks.seconds)) {
      const runs = clocks.running.includes(seat);
      const now = Math.max(0, seconds + (runs ? passed : 0) * (clocks.kind === "count_up" ? 1 : -1));
      const place = document.querySelector(`[data-clock="${seat}"]`);
      if (place) place.textContent = `${Math.floor(now / 60)}:${String(Math.floor(now % 60)).padStart(2, "0")}`;
    }
    this.ticking = setTimeout(() => this.tick(), 500);
  }

  async choose(seat) {
    this.seat = seat;
    const asked = ++this.asked;
    const own = await this.ask(`/api/seat/${seat}`);
    if (own) await this.draw(own, asked);
  }

  async take(seat) {
    if (await attemptOnce(() => post(`/api/seat/${seat}/claim`, {}))) this.seat = seat;
    await this.refresh(); // where another screen was first, that is shown
  }

  async leave(seat) {
    if (!(await attemptOnce(() => post(`/api/seat/${seat}/release`, {})))) return;
    this.seats.mine = this.seats.mine.filter((one) => one !== seat); // let go of here: nobody freed it
    await this.refresh();
  }

  /** Undo, and every legal action as a list: whatever a board does not draw can still be played. */
  drawActions(view) {
    if (!view) {
      byId("games-do").replaceChildren();
      return;
    }
    const back = h("button", { type: "button", "data-do": "undo", onclick: () => takeBack(this.score) }, this.w.undo);
    const moves = this.own?.moves ?? [];
    const clocks = this.seats.clocks ?? (view.game === "paleo" && view.phase === "playing" ? view : null);
    if (clocks) this.pausing.show(clocks.paused ? "resume" : "pause");
    const press = () => this.pausing.press((what) => attemptOnce(() => command(what)));
    const pause = clocks ? h("button", { type: "button", "data-do": "pause", onclick: press }, clocks.paused ? this.w.resume : this.w.pause) : null;
    redraw(byId("games-do"), back, ...(pause ? [pause] : []), ...(moves.length ? [this.actions.draw(moves, this.w.more)] : []));
  }

  // -- a new match ---------------------------------------------------------------------------------
  async beginForm() {
    this.known ??= this.ask("/api/games");
    const found = await this.known;
    if (!found) this.known = null; // it is asked for anew
    if (!found || this.registry) return;
    const { games, clocks } = found;
    this.registry = games;
    const tapped = [...this.registry.filter((game) => game.tapped), ...this.registry.filter((game) => !game.tapped)];
    const select = h("select", { name: "game" }, ...tapped.map((game) => h("option", { value: game.name }, told(game.title))));
    const rest = h("div", { class: "games-begin" });
    select.addEventListener("change", () => {
      const typed = names(rest).map((input) => (input.value === input.defaultValue ? null : input.value));
      this.fillForm(rest, tapped, select.value);
      names(rest).forEach((input, n) => { input.value = typed[n] ?? input.value; }); // who plays is the same in another game
    });
    const begin = h("button", { class: "main", type: "submit" }, this.w.begin);
    const form = byId("games-begin");
    const kinds = h("select", { name: "clock" }, ...clocks.map((kind) => h("option", { value: kind }, term(kind))));
    const minutes = h("input", { name: "minutes", type: "number", min: 1, max: 600, value: 20, required: true, "aria-label": this.w.minutes });
    const bonus = h("input", { name: "bonus", type: "number", min: 0, max: 600, value: 10, required: true, "aria-label": this.w.bonus });
    const clock = h("label", {}, `${this.w.clock}${colon()}${this.w.minutes}, ${this.w.bonus}`, kinds, minutes, bonus);
    form.replaceChildren(h("label", {}, this.w.game, select), rest, clock, begin);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.beginMatch(form, tapped.find((game) => game.name === select.value));
    });
    this.fillForm(rest, tapped, select.value);
  }

  fillForm(place, games, name) {
    const game = games.find((one) => one.name === name);
    if (name === "paleo") return void place.replaceChildren(...this.camps(), this.options(game));
    const seats = game.seats.length ? game.seats : ["p1", "p2", "p3", "p4", "p5"].slice(0, game.players[1]);
    const names = seats.map((seat, n) =>
      h("label", {}, game.seats.length ? teamName(seat) : `${this.w.player} ${n + 1}`,
        h("input", { name: `player:${seat}`, maxlength: 40, autocomplete: "off", value: n < game.players[0] ? seat : "" })));
    const shown = Object.keys(game.setup).length ? JSON.stringify(game.setup, null, 1) : "";
    const text = h("textarea", { name: "setup", rows: 12, spellcheck: "false", "data-default": shown });
    text.value = shown;
    const editor = shown ? [h("details", {}, h("summary", {}, this.w.editor), h("label", {}, this.w.editor_says, text))] : [];
    place.replaceChildren(...names, ...editor, this.options(game));
  }

  /** Every point that the rules leave open, with its default first and the reason. */
  options(game) {
    const rows = game.options.map((option) =>
      h("label", {}, `${term(option.name)} (${option.rule})`,
        h("select", { name: `option:${option.name}` }, ...option.choices.map((choice) => h("option", { value: choice }, choiceTerm(option.name, choice)))),
        h("small", {}, told(option.why))));
    return h("details", {}, h("summary", {}, `${this.w.options} (${rows.length})`), h("div", { class: "games-begin" }, ...rows));
  }

  /** Paleo's camps: a name each, and at two camps a partner's where there is one. */
  camps() {
    const { teams } = this.board;
    const name = (team, partner) => h("input", { name: `player:${team.name}${partner}`, maxlength: 40, autocomplete: "off", value: partner ? "" : teamName(team.name), "aria-label": `${teamName(team.name)} ${partner ? this.w.partner : ""}` });
    return teams.map((team) => h("label", {}, teamName(team.name), name(team, ""), ...(teams.length === 2 ? [h("small", {}, this.w.partner), name(team, "+")] : [])));
  }

  async beginMatch(form, game) {
    const data = /** @type {any} */ (new FormData(form));
    const players = {};
    const options = {};
    for (const [name, value] of data) {
      if (name.startsWith("player:") && value.trim()) {
        const seat = name.slice(7).replace("+", "");
        players[seat] = players[seat] ? [players[seat], value.trim()] : value.trim();
      }
      if (name.startsWith("option:")) {
        const option = game.options.find((one) => one.name === name.slice(7));
        if (value !== option.default) options[option.name] = value;
      }
    }
    const edited = form.querySelector("textarea[name=setup]");
    let setup = null;
    if (edited && edited.value.trim() !== edited.dataset.default) {
      try {
        setup = JSON.parse(edited.value);
      } catch (error) {
        toast(`${this.w.editor}${colon()}${this.w.amiss.replace("{line}", String(lineOf(error.message, edited.value)))}`);
        return;
      }
    }
    const kind = data.get("clock");
    const clock = { kind, base_s: 60 * Number(data.get("minutes")), bonus_s: Number(data.get("bonus")) };
    const body = { game: game.name, players, options, ...(kind === "none" ? {} : { clock }), ...(setup ? { setup } : {}), seen: this.score?.last_id };
    const begin = form.querySelector("[type=submit]");
    if (begin.ariaBusy) return; // another tap while it is on its way would begin another match
    begin.ariaBusy = "true";
    this.beginning.sending = true;
    if (await attemptOnce(() => command("new_match", body))) byId("games-begin-box").open = false;
    this.beginning.sending = false;
    begin.ariaBusy = null;
  }
}

/** The line of a text that a browser means by what it says of a mistake; the last one where it says none. */
function lineOf(message, text) {
  const [, line, at] = message.match(/line (\d+)|position (\d+)/) ?? [];
  return line ?? text.slice(0, at === undefined ? text.length : Number(at)).split("\n").length;
}
