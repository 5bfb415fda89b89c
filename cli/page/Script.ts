/**
 * What the page does more where the browser runs scripts: times in the reader's own zone, and results of a search while one types.
 * All of it works without. It is the only script that the page allows, and reads nothing but this site's own pages.
 */
export const SCRIPT = `"use strict"
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const two = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hour12: false }
const format = new Intl.DateTimeFormat("sv-SE", two)
const local = (root) => {
  for (const time of root.querySelectorAll("time[datetime*=T]")) {
    const at = new Date(time.dateTime)
    if (!Number.isNaN(at.getTime())) time.textContent = format.format(at)
  }
}
local(document)
for (const note of document.querySelectorAll("[data-zone]")) note.textContent = "Times are of " + zone + "; hold the pointer over one for UTC."

let last = new AbortController()
const search = async (form) => {
  const results = document.getElementById("results")
  const address = new URL(form.action)
  address.search = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""))
  last.abort()
  last = new AbortController()
  results.setAttribute("aria-busy", "true")
  try {
    const answer = await fetch(address, { signal: last.signal })
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
  if (document.getElementById("results") === null) continue
  let waits
  form.addEventListener("input", () => {
    clearTimeout(waits)
    waits = setTimeout(() => search(form), 250)
  })
}
`
