/**
 * The script of an evidence pack's page: reads the pack that a person chooses, computes every digest again, and shows the statement
 * and what stands behind a figure. It needs no network and no Daybook. Nothing is kept in memory but one digest for each fact.
 */
import { PACK_COLUMNS } from "./Facts.ts"

const PARTS = [
  ...["READ-ME.txt", "verify.html", "statement.json", "statement.xlsx", "statement.pdf"],
  ...["chain.jsonl", "documents.jsonl", "versions.jsonl", "records.jsonl", "columns.json"],
  ...Object.keys(PACK_COLUMNS).map((table) => `facts/${table}.jsonl`)
]

export const SCRIPT = `"use strict"
const $ = (id) => document.getElementById(id)
const el = (tag, text, ...children) => {
  const node = document.createElement(tag)
  if (text !== "") node.textContent = text
  node.append(...children)
  return node
}
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
const sha = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
const short = async (text) => (await sha(text)).slice(0, 32)

let pack
const open = async (file) => {
  const view = async (from, to) => new DataView(await file.slice(from, to).arrayBuffer())
  const end = await view(Math.max(0, file.size - 22), file.size)
  if (end.byteLength < 22 || end.getUint32(0, true) !== 0x06054b50) throw new Error("this is not a whole evidence pack")
  const [count, size, at] = [end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)]
  const directory = await view(at, at + size)
  const parts = new Map()
  for (let n = 0, p = 0; n < count; n++) {
    const length = directory.getUint16(p + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, p + 46, length))
    if (parts.has(name)) throw new Error("it has two parts that are called " + name)
    parts.set(name, { packed: directory.getUint32(p + 20, true), offset: directory.getUint32(p + 42, true) })
    p += 46 + length + directory.getUint16(p + 30, true) + directory.getUint16(p + 32, true)
  }
  return { file, parts, view }
}
async function* lines(name) {
  const part = pack.parts.get(name)
  if (part === undefined) return
  const header = await pack.view(part.offset, part.offset + 30)
  const start = part.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const reader = pack.file.slice(start, start + part.packed).stream()
    .pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    const all = (rest + value).split("\\n")
    rest = all.pop()
    for (const one of all) if (one !== "") yield JSON.parse(one)
  }
  if (rest !== "") yield JSON.parse(rest)
}
const only = async (name) => {
  for await (const value of lines(name)) return value
}

const problems = []
const problem = (why) => problems.push(why)
/** Not as the pack says: whoever edits it could leave a table out of it. */
const COLUMNS = ${JSON.stringify(PACK_COLUMNS)}
const PARTS = new Set(${JSON.stringify(PARTS)})

const walk = async (statement, wanted) => {
  let before = { n: 0, hash: "0".repeat(64) }
  let at = 0
  const latest = new Map()
  const groups = []
  const met = new Set()
  for await (const [n, when, kind, content, hash] of lines("chain.jsonl")) {
    if (n !== before.n + 1) problem("entries " + (before.n + 1) + " to " + (n - 1) + " are missing")
    else if (hash !== (await sha('["' + before.hash + '",' + n + "," + when + "," + JSON.stringify(kind) + "," + content + "]")))
      problem("entry " + n + " was changed, or is not the one that followed entry " + before.n)
    for (const head of wanted) if (head.entry === n && head.hash === hash) met.add(head)
    if (kind === "document") groups.push(JSON.parse(content))
    else for (const [key, fact] of JSON.parse(content)) latest.set(kind + " " + JSON.stringify(key), { fact, n })
    before = { n, hash }
    at = when
  }
  if (statement.chain === undefined && before.n > 0) problem("the statement names no entry of the chain")
  for (const head of wanted) if (!met.has(head)) problem("entry " + head.entry + ", " + head.where + ", is not in this chain")
  return { head: before, at, latest, groups }
}
const compare = async (latest, kind, key, now) => {
  const name = kind + " " + JSON.stringify(key)
  const entry = latest.get(name)
  latest.delete(name)
  if (entry === undefined) return problem(name + " has no entry")
  if (JSON.stringify(entry.fact) !== now) problem(name + " is not what entry " + entry.n + " says")
}
const documents = async (groups) => {
  const of = groups.flatMap(([first, count, digests]) =>
    digests.map((digest, n) => ({ first: first + n * 128, last: Math.min(first + n * 128 + 127, first + count - 1), digest })))
  let group = 0
  let texts = []
  let found = 0
  const close = async () => {
    const { digest, first, last } = of[group]
    if (texts.length !== last - first + 1 || (await short(texts.join("\\n"))) !== digest)
      problem("documents " + first + " to " + last + " are not what their entry says")
    group++
    texts = []
  }
  for await (const [id, text] of lines("documents.jsonl")) {
    while (of[group] !== undefined && id > of[group].last) await close()
    if (of[group] === undefined || id < of[group].first) problem("document " + id + " has no entry")
    else texts.push(text)
    found++
  }
  while (of[group] !== undefined) await close()
  return found
}
const verify = async (statement) => {
  problems.length = 0
  const typed = /^(\\d+):([0-9a-f]{64})$/.exec($("head").value.trim())
  const wanted = statement.chain === undefined ? [] : [{ ...statement.chain, where: "which the statement names" }]
  if (typed !== null) wanted.push({ entry: Number(typed[1]), hash: typed[2], where: "which you wrote down" })
  else if ($("head").value.trim() !== "") problem("what you wrote down is not an entry's number, a colon and its hash")
  const { at, groups, head, latest } = await walk(statement, wanted)
  const count = latest.size
  let facts = await documents(groups)
  for (const name of pack.parts.keys()) if (!PARTS.has(name)) problem(name + " was added: a pack has no such part")
  for (const table of Object.keys(COLUMNS)) {
    for await (const [key, text] of lines("facts/" + table + ".jsonl")) {
      const entry = latest.get(table + " " + JSON.stringify(key))
      const whole = Array.isArray(entry?.fact)
      await compare(latest, table, key, whole ? JSON.stringify(JSON.parse(text)) : JSON.stringify(await short(text)))
      facts++
    }
  }
  for await (const [key, text] of lines("versions.jsonl")) {
    await compare(latest, "version", key, JSON.stringify(await short(text)))
    facts++
  }
  for await (const [id, scan, read, text] of lines("records.jsonl")) {
    await compare(latest, "record_page", id, JSON.stringify(await short(scan + " " + read + " " + text)))
    facts++
  }
  let digests = 0
  for (const [name, { fact, n }] of latest) {
    if (fact === null) continue
    const kind = name.slice(0, name.indexOf(" "))
    if (kind === "sign_in") digests++
    else problem(name + " was removed: entry " + n + " has it")
  }
  return { at, head, facts, digests, closings: await closings(statement) }
}
/** Who closed the month is a fact of the chain, whatever the statement says of it. */
const closings = async ({ chain: _, closed, ...rest }) => {
  const digest = await sha(JSON.stringify(rest))
  const found = []
  for await (const [, text] of lines("facts/closed_month.jsonl")) {
    const [connection, month, at, who, digest] = JSON.parse(text)
    if (month === rest.month) found.push({ connection, at: new Date(at).toISOString(), who, digest })
  }
  const said = (one) => JSON.stringify([one.connection, Date.parse(one.at), one.who, one.digest])
  const of = new Set(closed.map(said))
  for (const one of found) {
    if (!of.delete(said(one))) problem("the statement does not say that " + one.connection + " was closed by " + one.who)
    if (one.digest !== digest)
      problem(one.connection + " was closed by " + one.who + " with a statement that said something else than this one")
  }
  if (of.size > 0) problem("the statement says that a connection was closed, and no entry does")
  return found.length
}

const table = (titles, rows) => {
  const body = rows.map((row) => el("tr", "", ...row.map((cell) => (cell instanceof Node ? el("td", "", cell) : el("td", String(cell ?? "–"))))))
  return el("table", "", el("thead", "", el("tr", "", ...titles.map((title) => el("th", title)))), el("tbody", "", ...body))
}
const finder = (text) => {
  const button = el("button", text)
  button.type = "button"
  button.className = "link"
  button.addEventListener("click", () => {
    $("search").value = text
    void find(text)
  })
  return button
}
const sums = ({ closing, creditNotes, invoices, opening, payments, reversals }) => [opening, invoices, creditNotes, payments, reversals, closing]
const SUMS = ["opening", "+ invoices", "− credit notes", "− payments", "+ reversals", "= closing"]
const show = (statement) => {
  const node = $("statement")
  node.replaceChildren(el("h2", "Statement of " + statement.month))
  for (const one of statement.closed) node.append(el("p", one.connection + " was closed by " + one.who + " at " + one.at))
  for (const one of statement.unplanned) node.append(el("p", one + " is in no sum: none of its plans was carried out when the statement was made"))
  for (const one of statement.moved) node.append(el("p", one.connection + ", " + one.currency + ": the month before was closed at " + one.closed.books + ", and this one opens with " + one.opens.books + " in the books; " + one.late + " of that was read late"))
  for (const one of statement.unmatched) node.append(el("p", one.connection + ": " + one.payments + " payments or credit notes of " + one.amount + " " + one.currency + " in all have no invoice, and are in no sum"))
  if (statement.quarantined > 0) node.append(el("p", statement.quarantined + " records could not be read; their amounts are in no sum"))
  if (statement.more + statement.moreLate > 0) node.append(el("p", "Not listed: " + statement.more + " more differences, " + statement.moreLate + " more that were read late"))
  const row = (one, name) => [one.connection, one.currency, name, ...sums(one.books), one.service.closing, one.source]
  node.append(table(["Connection", "Currency", "Customer", ...SUMS, "Service", "Source says"], [
    ...statement.accounts.map((one) => row(one, "All customers")), ...statement.customers.map((one) => row(one, finder(one.customer)))]))
  if (statement.differences.length > 0) node.append(el("h3", "Differences"), table(["Document", "Source", "Books", "Service", "Why", "Decided"],
    statement.differences.map((one) => [finder(one.document), one.source, one.books, one.service, one.why,
      one.decided.map(({ at, what, who }) => at.slice(0, 10) + " " + (who ?? "") + " " + what).join("; ")])))
  if (statement.late.length > 0) node.append(el("h3", "Read late"), table(["Document", "Date", "When closed", "Now"],
    statement.late.map((one) => [finder(one.document), one.date, one.was, one.now])))
}

const MOST = 200
const find = async (text) => {
  const node = $("found")
  node.replaceChildren(el("p", "Searching…"))
  const found = []
  const wanted = text.toLowerCase()
  let more = 0
  const add = (key, says, record) => {
    if (key.toLowerCase() !== wanted && !says.toLowerCase().includes(wanted)) return
    if (found.length < MOST) found.push([key, says, record])
    else more++
  }
  for await (const [, line, record] of lines("documents.jsonl")) {
    const [, key, ...body] = JSON.parse(line)
    add(key, JSON.stringify(body[0]), record)
  }
  for await (const [, line, record] of lines("versions.jsonl")) {
    const [, n, key, , , body] = JSON.parse(line)
    add(key, "version " + n + ": " + JSON.stringify(body), record)
  }
  const exact = found.filter(([key]) => key.toLowerCase() === wanted)
  const shown = exact.length > 0 ? exact : found
  const keys = new Set(shown.map(([key]) => key))
  const records = await recordsOf(new Set(shown.map(([, , record]) => record)))
  node.replaceChildren(el("h2", "Found: " + text), table(["Document", "In the source", "Where", "As it was understood"],
    shown.map(([key, says, record]) => [keys.size === 1 ? key : finder(key), records.get(record)?.raw, records.get(record)?.origin, says])))
  if (more > 0) node.append(el("p", more + " more; search for more of the text"))
  if (keys.size === 1) await behind([...keys][0], node)
}
const recordsOf = async (wanted) => {
  const found = new Map()
  for await (const [id, , , text] of lines("records.jsonl")) {
    const of = [...wanted].filter((record) => Math.floor(record / 4096) === id)
    if (of.length === 0) continue
    const [origins, raws] = JSON.parse(text)
    for (const record of of) found.set(record, { origin: origins[record % 4096], raw: raws[record % 4096] })
  }
  return found
}
const behind = async (key, node) => {
  const claims = new Set()
  for (const name of Object.keys(COLUMNS)) {
    const rows = []
    for await (const [, text] of lines("facts/" + name + ".jsonl")) {
      const values = JSON.parse(text)
      const mine = name === "receipt" ? claims.has(values[0]) : values.some((value) => value === key || (typeof value === "string" && value.includes('"' + key + '"')))
      if (!mine) continue
      if (name === "claim") claims.add(values[0])
      rows.push(values.map((value, n) => (/^(at|began|ended|claimed|answered|decided|since|closed|chosen|made|read)$/.test(COLUMNS[name][n]) && typeof value === "number" ? new Date(value).toISOString() : value)))
    }
    if (rows.length > 0) node.append(el("h3", name.replaceAll("_", " ")), table(COLUMNS[name], rows))
  }
}

const run = async () => {
  const file = $("file").files[0]
  if (file === undefined) return
  const node = $("result")
  node.className = ""
  node.replaceChildren(el("p", "Checking…"))
  $("found").replaceChildren()
  try {
    pack = await open(file)
    const statement = await only("statement.json")
    show(statement)
    $("searching").hidden = false
    const { at, closings, digests, facts, head } = await verify(statement)
    node.className = problems.length > 0 ? "bad" : closings === 0 ? "open" : "good"
    const said = problems.length > 0
      ? problems.length + (problems.length === 1 ? " thing is" : " things are") + " not as it was written"
      : "Every entry follows the one before, and every fact is what its entry says"
    node.replaceChildren(el("p", said), el("p", head.n + " entries, the last of " + new Date(at).toISOString() + "; " + facts + " facts compared"
      + (digests > 0 ? "; of " + digests + " more (sign-ins) the pack has digests only" : "")),
      el("p", head.n + ":" + head.hash),
      el("p", (closings === 0 ? "Nobody has closed this month: no entry shows that the statement is as it was made. " : "")
        + "Nothing checks statement.xlsx and statement.pdf: compare them with the statement here."), el("ul", "", ...problems.slice(0, 100).map((why) => el("li", why))))
    if (problems.length > 100) node.append(el("p", "and " + (problems.length - 100) + " more"))
  } catch (error) {
    node.className = "bad"
    node.replaceChildren(el("p", "The pack cannot be read: " + error.message))
  }
}
$("file").addEventListener("change", run)
$("head").addEventListener("change", run)
$("searching").addEventListener("submit", (event) => {
  event.preventDefault()
  const text = $("search").value.trim()
  if (text !== "") void find(text)
})
`
