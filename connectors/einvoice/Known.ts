/** Which files were read, and what they were read as: the bookmark of the connector `einvoice`. */
import { Schema } from "effect"
import { hash } from "node:crypto"
import * as Looks from "../Looks.ts"
import { holds } from "./Container.ts"
import type { File } from "./Folder.ts"
import type { Settings } from "./Settings.ts"

/** Raise it when the same bytes are decoded differently, so that all files are read again. */
const READER = 2

export const Bookmark = Schema.Struct({
  /** By part, the digest of the content and of the settings that it was read with. */
  files: Schema.Record(Schema.String, Schema.String),
  looks: Schema.Record(Schema.String, Looks.Look),
  /** By kind and id, the part that states it, and its figures. */
  stated: Schema.Record(Schema.String, Schema.Struct({ name: Schema.String, figures: Schema.String })),
  /** Whose invoices these are, if the settings do not say. */
  seller: Schema.optionalKey(Schema.String),
  /** Ids of invoices whose place another one took, and files that were never issued. */
  replaced: Schema.optionalKey(Schema.Array(Schema.String))
})
export type Bookmark = typeof Bookmark.Type

/** A bookmark lists every file that was read, so it is made again only when there are this many times fewer new ones. */
const SHARE = 16

export class Known {
  readonly #files: Map<string, string>
  readonly #looks: Map<string, Looks.Look>
  readonly #stated: Map<string, { readonly name: string; readonly figures: string }>
  readonly #how: string
  #later = 0
  #made: Bookmark
  seller: string | undefined
  replaced: ReadonlyArray<string>

  constructor(after: Bookmark | undefined, settings: Settings) {
    this.#files = new Map(Object.entries(after?.files ?? {}))
    this.#looks = new Map(Object.entries(after?.looks ?? {}))
    this.#stated = new Map(Object.entries(after?.stated ?? {}))
    this.#how = hash("sha256", JSON.stringify([READER, settings]), "base64url").slice(0, 12)
    this.seller = after?.seller
    this.replaced = after?.replaced ?? []
    this.#made = this.last()
  }

  /** Whether files were read that the latest bookmark does not have: after an interruption they are read again. */
  get isBehind(): boolean {
    return this.#later > 0
  }

  /** The latest bookmark, while a file is being read. */
  get behind(): Bookmark {
    return this.#made
  }

  isSame(name: string, look: Looks.Look): boolean {
    return this.#files.get(name)?.endsWith(` ${this.#how}`) === true && Looks.isSame(this.#looks.get(name), look)
  }

  /** Forgets the files that are there no more, and returns them; undefined: not all files were listed. */
  forget(all: ReadonlyArray<File> | undefined): ReadonlyArray<string> {
    if (all === undefined) return []
    const there = new Set(all.map(({ name }) => name))
    const gone = [...this.#files.keys()].filter((name) => !there.has(name))
    for (const name of gone) for (const one of [this.#files, this.#looks]) one.delete(name)
    this.#later += gone.length
    return gone
  }

  /** What a part stated before it is read again. */
  release(name: string): void {
    if (!this.#files.has(name)) return
    for (const [key, one] of this.#stated)
      if (one.name === name || one.name.startsWith(`${name}/`)) this.#stated.delete(key)
  }

  /** Whether the file is still there, or what it is in; of one that was removed, another one may take the place. */
  #isThere(name: string, other: string): boolean {
    for (let at = name.length; at > 0; at = name.lastIndexOf("/", at - 1)) {
      const outer = name.slice(0, at)
      if (this.#files.has(outer) || (holds(outer) && other.startsWith(`${outer}/`))) return true
    }
    return false
  }

  /** Notes that a part states a document. Returns the part that does so already, if another one does. */
  claim(key: string, name: string, figures: string): { readonly name: string; readonly figures: string } | undefined {
    const before = this.#stated.get(key)
    if (before !== undefined && before.name !== name && this.#isThere(before.name, name)) return before
    this.#stated.set(key, { name, figures })
    return undefined
  }

  /** After a file was read. Without a look it is read again next time. */
  next(name: string, bytes: Uint8Array, look: Looks.Look | undefined): Bookmark {
    this.#files.set(name, `${hash("sha256", bytes, "base64url")} ${this.#how}`)
    if (look === undefined) this.#looks.delete(name)
    else this.#looks.set(name, look)
    this.#later++
    return this.#later * SHARE < this.#files.size ? this.#made : this.last()
  }

  /** With everything that is known by now. */
  last(): Bookmark {
    this.#later = 0
    // Frozen, so that it is written as text once and not for each page that has it.
    this.#made = Object.freeze({
      files: Object.fromEntries(this.#files),
      looks: Object.fromEntries(this.#looks),
      stated: Object.fromEntries(this.#stated),
      ...(this.seller === undefined ? {} : { seller: this.seller }),
      ...(this.replaced.length === 0 ? {} : { replaced: this.replaced })
    })
    return this.#made
  }
}
