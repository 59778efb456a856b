// Many answers: lines of JSON, judged in batches, as a table that can be filtered.

import { Refused, ask } from "./api.js";
import { make } from "./math.js";
import { address, verdictClass, words } from "./pair.js";

const GUESSES = {
  gold: ["gold", "ground_truth", "expected", "answer", "solution", "label", "target", "reference"],
  response: [
    "response", "completion", "completions", "output", "prediction", "generated_text",
    "model_output", "text",
  ],
  prompt: ["prompt", "question", "problem", "input"],
};
const BATCH_ITEMS = 256;
const BATCH_CHARS = 1_000_000;
const SHOWN_ROWS = 500;

const at = (id) => document.getElementById(id);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

let records = [];
let results = [];
let filter = "";
let stopped = false;

/** The lines of a text as records: their number, and an object or what is wrong with them. */
function parse(text) {
  return text
    .split("\n")
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter(({ text }) => text)
    .map(({ line, text }) => {
      try {
        const value = JSON.parse(text);
        return isObject(value) ? { line, value } : { line, fault: "this is no object" };
      } catch (error) {
        return { line, fault: `this is no JSON: ${error.message}` };
      }
    });
}

function read() {
  const key = at("lines").value;
  if (read.key === key) return;
  read.key = key;
  records = parse(key);
  const names = new Set(records.slice(0, 200).flatMap(({ value }) => Object.keys(value ?? {})));
  at("columns").hidden = names.size === 0;
  for (const kind of Object.keys(GUESSES)) {
    const select = at(`${kind}-field`);
    const none = kind === "prompt" ? [make("option", "", "")] : [];
    select.replaceChildren(...none, ...[...names].map((name) => make("option", "", name)));
    select.value = GUESSES[kind].find((name) => names.has(name)) ?? (none.length ? "" : select.value);
  }
}

/** What the service is asked about a record; null where a field is not there. */
function itemOf({ value }) {
  if (!value) return null;
  const [gold, response, prompt] = ["gold", "response", "prompt"].map((kind) => at(`${kind}-field`).value);
  if (!(gold in value) || !(response in value)) return null;
  const item = { expected: value[gold], output: value[response] };
  if (prompt && value[prompt]) item.prompt = value[prompt];
  return item;
}

function* batches(items) {
  let batch = [];
  let chars = 0;
  for (const entry of items) {
    batch.push(entry);
    chars += JSON.stringify(entry.item).length;
    if (batch.length >= BATCH_ITEMS || chars >= BATCH_CHARS) {
      yield batch;
      batch = [];
      chars = 0;
    }
  }
  if (batch.length) yield batch;
}

async function judgeAll() {
  read();
  stopped = false;
  filter = "";
  results = records.map((record) => {
    const item = itemOf(record);
    const fault = record.fault ?? (item ? "" : "a field is missing");
    return fault ? failed(record, fault) : { record, item, status: "" };
  });
  at("judge-all").disabled = true;
  at("stop").hidden = false;
  const waiting = results.filter(({ item }) => item);
  let done = 0;
  for (const batch of batches(waiting)) {
    if (stopped) break;
    at("progress").textContent = `${done} of ${waiting.length}`;
    await judgeBatch(batch);
    done += batch.length;
    render();
  }
  at("progress").textContent = summary(done, waiting.length);
  at("judge-all").disabled = false;
  at("stop").hidden = true;
  render();
}

const failed = (record, detail) => ({ record, item: null, status: "not judged", detail });

/** A batch; where one item cannot be used, its neighbours are judged all the same. */
async function judgeBatch(batch) {
  try {
    const answer = await ask("/api/v1/evaluate", {
      evaluators: ["correct_answer"],
      items: batch.map(({ item }) => item),
    });
    answer.items.forEach(({ results: { correct_answer: found } }, index) => {
      Object.assign(batch[index], found);
    });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (batch.length === 1 || stopped || ![413, 422].includes(error.status)) {
      for (const entry of batch) Object.assign(entry, failed(entry.record, error.message));
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await judgeBatch(batch.slice(0, middle));
    await judgeBatch(batch.slice(middle));
  }
}

function summary(done, all) {
  const correct = results.filter(({ status }) => status === "correct").length;
  const scored = results.filter(({ score }) => typeof score === "number").length;
  const rate = scored ? `, ${((100 * correct) / scored).toFixed(1)} % of ${scored} correct` : "";
  return `${done < all ? `stopped after ${done} of ${all}` : `${results.length} lines`}${rate}`;
}

function render() {
  const counts = new Map();
  for (const { status } of results) if (status) counts.set(status, (counts.get(status) ?? 0) + 1);
  const buttons = [["", results.length], ...counts].map(([status, count]) => {
    const button = make("button", "", `${words(status) || "all"} ${count}`);
    button.type = "button";
    button.setAttribute("aria-pressed", String(status === filter));
    button.addEventListener("click", () => {
      filter = status;
      render();
      [...at("counts").children].find((it) => it.getAttribute("aria-pressed") === "true")?.focus();
    });
    return button;
  });
  const chosen = results.filter(({ status }) => status && (!filter || status === filter));
  at("counts").replaceChildren(...buttons);
  at("counts").hidden = results.length === 0;
  at("rows-region").hidden = chosen.length === 0;
  const more = chosen.length > SHOWN_ROWS ? `, the first ${SHOWN_ROWS} of ${chosen.length}` : "";
  at("rows-caption").textContent = `Verdicts${more}`;
  at("rows").replaceChildren(...chosen.slice(0, SHOWN_ROWS).map(row));
}

function row({ record, item, status, detail, gold, answer, stage }) {
  const badge = make("span", `badge ${verdictClass(status)}`, words(status));
  return make(
    "tr",
    "",
    make("td", "number", lineOf(record, item)),
    make("td", "", badge),
    make("td", "code", clip(gold ?? item?.expected)),
    make("td", "code", clip(answer)),
    make("td", "", words(stage ?? "")),
    make("td", "why", detail ?? ""),
  );
}

/** The number of a line; a link to its story where the page's form can hold the pair. */
function lineOf(record, item) {
  const plain = ["string", "number"].includes(typeof item?.expected) && typeof item?.output === "string";
  if (!plain) return String(record.line);
  const link = make("a", "", String(record.line));
  const prompt = typeof item.prompt === "string" ? item.prompt : "";
  link.href = address({ gold: String(item.expected), response: item.output, prompt });
  link.setAttribute("aria-label", `Line ${record.line}: explain`);
  return link;
}

function clip(value) {
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)} …` : text;
}

async function take(file) {
  if (!file) return;
  at("lines").value = await file.text();
  read();
  at("progress").textContent = `${file.name}: ${records.length} lines`;
}

at("many").addEventListener("submit", (event) => {
  event.preventDefault();
  judgeAll();
});
at("lines").addEventListener("change", read);
at("file").addEventListener("change", () => take(at("file").files[0]));
at("stop").addEventListener("click", () => {
  stopped = true;
});
const drop = at("drop");
drop.addEventListener("dragover", (event) => {
  event.preventDefault();
  drop.classList.add("over");
});
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files[0]);
});
