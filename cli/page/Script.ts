/**
 * What the page does more where the browser runs scripts: times in the reader's own zone, results of a search while one types,
 * keys for lists of work, what remains of a payment, and pages that follow runs as they begin and end.
 * All of it works without. It is the only script that the page allows, and reads nothing but this site's own pages.
 */
import { fieldText } from "./language/Figures.ts"
import { plainAmount } from "./language/TypedAmount.ts"
import { language } from "./language/Language.ts"
import { term } from "./language/Texts.ts"

const SAYS = [
  "Turn them off",
  "Turn them on",
  "Times are in {0}; point at one to see it in UTC.",
  ": more than was received",
  "{0}: {1} read",
  "{0}: {1} sent",
  "{0}: {1} of {2} sent",
  "not known: an amount cannot be read"
]

/** What the script says in another language than English: everybody has the same script. */
export const scriptWords = (): string | undefined =>
  language() === "en"
    ? undefined
    : JSON.stringify({ ...Object.fromEntries(SAYS.map((text) => [text, term(text)])), ".": fieldText(".") })

export const SCRIPT = `"use strict"
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const two = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hour12: false }
const words = JSON.parse(document.documentElement.dataset.words ?? "{}")
const say = (text) => words[text] ?? text
const spoken = document.documentElement.lang
const format = new Intl.DateTimeFormat(spoken === "en" ? "sv-SE" : spoken, two)
const local = (root) => {
  for (const time of root.querySelectorAll("time[datetime*=T]")) {
    const at = new Date(time.dateTime)
    if (!Number.isNaN(at.getTime())) time.textContent = format.format(at).replace(",", "")
  }
}
local(document)
if (!/^(Etc\\/)?(UTC|UCT|GMT|Greenwich|Zulu|Universal)$/.test(zone)) for (const note of document.querySelectorAll("[data-zone]")) note.textContent = say("Times are in {0}; point at one to see it in UTC.").replace("{0}", zone.replace(/_/g, " "))

let last = new AbortController()
const search = async (form) => {
  const results = document.getElementById("results")
  const address = new URL(form.action)
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""))
  last.abort()
  last = new AbortController()
  results.setAttribute("aria-busy", "true")
  try {
    const answer = await fetch(address, { signal: last.signal, headers: { "x-daybook-again": "1" } })
    // A session that has ended leads to the way in.
    if (!answer.ok || answer.redirected) return location.assign(address)
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const found = page.getElementById("results")
    if (found === null) return location.assign(address)
    local(found)
    results.replaceChildren(...found.childNodes)
    history.replaceState(null, "", address)
    results.removeAttribute("aria-busy")
  } catch (error) {
    if (error.name !== "AbortError") location.assign(address)
  }
}
for (const form of document.querySelectorAll("form[role=search]")) {
  if (document.getElementById("results") === null || new URL(form.action).pathname !== location.pathname) continue
  let waits
  form.addEventListener("input", () => {
    clearTimeout(waits)
    waits = setTimeout(() => search(form), 250)
  })
}

const hint = document.querySelector("[data-keys]")
if (hint !== null) {
  const OFF = "daybook.keys"
  const turn = hint.querySelector("button")
  const show = () => void (turn.textContent = say(localStorage.getItem(OFF) === null ? "Turn them off" : "Turn them on"))
  turn.addEventListener("click", () => {
    if (localStorage.getItem(OFF) === null) localStorage.setItem(OFF, "off")
    else localStorage.removeItem(OFF)
    show()
  })
  show()
  hint.hidden = false
  const rows = () => [...document.querySelectorAll("main tbody tr, main fieldset label")].filter((row) => row.querySelector("a, input") !== null)
  const box = (row) => row.querySelector("input[type=checkbox]")
  const ROOMS = { t: "/", q: "/attention", p: "/plans", r: "/receivables", c: "/customers", d: "/documents" }
  let going = false
  // All of a row's list: the button for all of it, or else each of its boxes.
  const choose = ({ form }) => {
    const all = form.querySelector("button[value='close all']")
    if (all !== null) return all.click()
    for (const one of form.elements) if (one.type === "checkbox" && !one.checked) one.click()
  }
  // What is highlighted: in the row, in its form, or else on a page that asks about one thing.
  const yes = (row) => {
    const places = [row, document.activeElement.form, document.querySelector("main [data-asks]")]
    places.map((one) => one?.querySelector("button.primary")).find((one) => one)?.click()
  }
  addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, key, metaKey, target } = event
    if (altKey || ctrlKey || metaKey || localStorage.getItem(OFF) !== null) return
    if (target.closest("input:not([type=checkbox]), textarea, select") !== null) return
    const all = rows()
    const at = all.findIndex((row) => row.contains(document.activeElement))
    const row = all[at]
    const room = going ? ROOMS[key] : undefined
    going = key === "g"
    if (room !== undefined) return location.assign(room)
    const go = {
      j: () => all[at + 1],
      k: () => all[at - 1]
    }[key]?.()
    if (go !== undefined) (box(go) ?? go.querySelector("a")).focus()
    else if (key === "x" && row !== undefined && box(row) !== null) box(row).click()
    else if (key === "Enter" && target.matches("input[type=checkbox]") && row !== undefined) row.querySelector("a").click()
    else if (key === "e" && row !== undefined && box(row) !== null) box(row).form.querySelector("button[value=close]")?.click()
    else if (key === "a" && row !== undefined && box(row) !== null) choose(box(row))
    else if (key === "y") yes(row)
    else if (key === "/") document.querySelector("input[type=search]")?.focus()
    else return
    event.preventDefault()
  })
}

const bench = document.querySelector("form[data-received]")
if (bench !== null) {
  // Exact: amounts are counted in whole units of eight decimals.
  const plain = ${plainAmount.toString()}
  const units = (text) => {
    const [whole, rest = ""] = (plain(text) ?? "").split(".")
    return whole === "" ? undefined : BigInt(whole + rest.padEnd(8, "0"))
  }
  const shown = (left) => {
    const digits = (left < 0n ? -left : left).toString().padStart(9, "0")
    const rest = digits.slice(-8).replace(/0{1,6}$/, "")
    return (left < 0n ? "-" : "") + digits.slice(0, -8) + say(".") + rest + " " + bench.dataset.currency + (left < 0n ? say(": more than was received") : "")
  }
  const count = () => {
    const takes = [...bench.elements].filter((one) => one.name === "pick" && one.checked).map((one) => units(bench.elements["take:" + one.value].value))
    const known = takes.every((one) => one !== undefined)
    const left = known ? takes.reduce((sum, one) => sum - one, units(bench.dataset.received)) : undefined
    bench.elements.left.textContent = known ? shown(left) : say("not known: an amount cannot be read")
    bench.elements.left.className = left === 0n ? "even" : ""
  }
  for (const one of bench.elements) one.addEventListener("input", count)
}

const live = document.getElementById("live")
const stream = document.querySelector("link[type='text/event-stream']")
if (live !== null && stream !== null) {
  const address = () => {
    const now = new URL(location.href)
    now.searchParams.delete("said")
    for (const [name, value] of new URLSearchParams(live.dataset.again)) now.searchParams.set(name, value)
    return now
  }
  const renew = async () => {
    const answer = await fetch(address(), { headers: { "x-daybook-again": "1" } })
    // A session that has ended is seen with the next click.
    if (!answer.ok || answer.redirected) return
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const found = page.getElementById("live")
    // Whoever is in the middle of it is not disturbed: what is new comes once they leave it.
    if (found === null || live.contains(document.activeElement)) return void (late = found !== null)
    local(found)
    const open = [...live.querySelectorAll("details")].map((one) => one.open)
    for (const [n, one] of [...found.querySelectorAll("details")].entries()) one.open = open[n] === true
    live.replaceChildren(...found.childNodes)
    const menu = document.querySelector("header nav")
    menu.replaceChildren(...page.querySelector("header nav").childNodes)
    late = false
  }
  let late = false
  let waits
  const soon = () => {
    clearTimeout(waits)
    waits = setTimeout(() => renew().catch(() => {}), 200)
  }
  const shown = document.getElementById("progress")
  const figures = new Intl.NumberFormat(spoken)
  const counts = ({ connection, of, read, sent }) => {
    const words = sent === 0 && of === undefined ? "{0}: {1} read" : of === undefined ? "{0}: {1} sent" : "{0}: {1} of {2} sent"
    const values = [connection, figures.format(words === "{0}: {1} read" ? read : sent), figures.format(of ?? 0)]
    return say(words).replace(/{(\\d)}/g, (_, n) => values[n])
  }
  const progress = (going) => {
    shown.textContent = going.map(counts).join(" · ")
    shown.hidden = going.length === 0
  }
  live.addEventListener("focusout", () => late && soon())
  // Browsers hold few connections to one place: a page that nobody sees needs none.
  let source
  const follow = () => {
    source?.close()
    source = undefined
    if (document.visibilityState !== "visible") return
    source = new EventSource(stream.href)
    source.addEventListener("open", soon)
    source.addEventListener("run", soon)
    source.addEventListener("progress", ({ data }) => progress(JSON.parse(data)))
  }
  document.addEventListener("visibilitychange", follow)
  addEventListener("pagehide", () => source?.close())
  follow()
}
`
