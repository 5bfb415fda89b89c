/** Who issued the electronic invoices of a folder, for a first configuration. */
import { basename } from "node:path"
import { bytesOf, open } from "./Folder.ts"
import { Sellers } from "./Sellers.ts"

/** How many files are looked into, spread over all of them. */
const MOST = 500
const MOST_NAMED = 20

/** Their names, the one of most invoices first; `isShared`: none of them issued nearly all. */
export const issuersOf = async (
  paths: ReadonlyArray<string>
): Promise<{ readonly names: ReadonlyArray<string>; readonly isShared: boolean }> => {
  const sellers = new Sellers()
  const step = Math.max(1, Math.ceil(paths.length / MOST))
  for (let at = 0; at < paths.length; at += step) {
    const path = paths[at] as string
    const file = { path, name: basename(path) }
    for await (const { found } of open(file, await bytesOf(file), {}))
      for (const { facts } of found) if (!("nothing" in facts)) sellers.add(facts)
  }
  const { chosen } = sellers
  return {
    names: [...new Set(sellers.all.map(({ name }) => name))].slice(0, MOST_NAMED),
    isShared: chosen !== undefined && "shared" in chosen
  }
}
