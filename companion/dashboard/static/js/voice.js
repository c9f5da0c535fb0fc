// Spoken rulings and short sounds, both off until somebody wishes them.

import { told } from "./texts.js";
import { wishes } from "./wishes.js";

const TONES = { said: [660], turn: [523, 784], asked: [880, 660] }; // Hz, one after the other
const TONE_S = 0.12;
const LOUD = 0.08;
let audio = null;

export class Voice {
  constructor(lang) {
    this.lang = lang;
    this.said = undefined;
    this.turn = undefined;
    this.asked = undefined;
  }

  /** Tells what is new since the last scoreboard; the first one is not new. */
  show(score) {
    const said = told(score.last);
    const asked = score.question?.id ?? null;
    const first = this.said === undefined;
    if (!first && asked !== this.asked && asked !== null) this.tell("asked", question(score.question));
    else if (!first && said !== this.said && said) this.tell("said", said);
    else if (!first && score.turn !== this.turn && score.turn) this.tell("turn", "");
    [this.said, this.turn, this.asked] = [said, score.turn, asked];
  }

  tell(tone, text) {
    if (wishes().sounds) sound(TONES[tone]);
    if (wishes().voice && text && "speechSynthesis" in window) {
      const words = new SpeechSynthesisUtterance(text);
      words.lang = this.lang;
      speechSynthesis.cancel(); // the newest ruling is the one that matters
      speechSynthesis.speak(words);
    }
  }
}

/** The question, with what the camera saw of the shot in question. */
function question({ text, account }) {
  return account ? `${told(text)} ${told(account)}` : told(text);
}

function sound(tones) {
  audio ??= new AudioContext();
  tones.forEach((hertz, n) => {
    const [note, gain] = [audio.createOscillator(), audio.createGain()];
    const from = audio.currentTime + n * TONE_S;
    note.frequency.value = hertz;
    gain.gain.setValueAtTime(LOUD, from);
    gain.gain.exponentialRampToValueAtTime(0.001, from + TONE_S);
    note.connect(gain).connect(audio.destination);
    note.start(from);
    note.stop(from + TONE_S);
  });
}
