/** Searches the documentation in the browser, without a server: the index is a script of its own, so that files opened from a disk work. */
import MiniSearch from "minisearch"
import { FIELDS } from "./Fields.ts"

const root = document.documentElement.dataset.root ?? ""
const MOST = 12

const field = document.querySelector("#search")
const index = MiniSearch.loadJSON(globalThis.DAYBOOK_INDEX, FIELDS)
field.addEventListener("input", () => {
  const options = { prefix: true, fuzzy: 0.2, combineWith: "AND", boost: { title: 3, page: 2 } }
  const items = index
    .search(field.value, options)
    .slice(0, MOST)
    .map(({ id, page, title }) => {
      const link = document.createElement("a")
      link.href = `${root}${id}`
      link.textContent = title === page ? page : `${page} · ${title}`
      const item = document.createElement("li")
      item.append(link)
      return item
    })
  document.querySelector("#found").replaceChildren(...items)
})

const versions = document.querySelector("#versions")
const own = versions.value
versions.replaceChildren(...globalThis.DAYBOOK_VERSIONS.map((one) => new Option(one, one, one === own, one === own)))
versions.addEventListener("change", () => {
  location.href = `${root}../${versions.value}/index.html`
})
