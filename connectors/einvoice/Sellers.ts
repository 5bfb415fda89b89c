/** Whose invoices these are: a folder may hold those of suppliers too. */
import type { Party } from "../Document.ts"
import type { Facts } from "./Facts.ts"

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

/** A VAT number is the same with and without its country. */
const isSame = (named: string, stated: string | undefined): boolean => {
  if (stated === undefined) return false
  const [one, other] = [fold(named), fold(stated)]
  return (
    one === other ||
    (/^[A-Z]{2}\d/.test(one) && one.slice(2) === other) ||
    (/^[A-Z]{2}\d/.test(other) && other.slice(2) === one)
  )
}

export const isOf = ({ seller }: Pick<Facts, "seller">, names: ReadonlyArray<string>): boolean =>
  names.some((name) => isSame(name, seller.vat) || isSame(name, seller.name) || isSame(name, seller.regnum))

const keyOf = ({ name, vat }: Party): string => vat ?? name

/** The share of the files that one seller must have issued to be taken for the books' own. */
const NEARLY_ALL = 0.9

export class Sellers {
  readonly #counts = new Map<string, { readonly name: string; files: number }>()
  #files = 0

  add({ seller }: Pick<Facts, "seller">): void {
    const key = fold(keyOf(seller))
    const known = this.#counts.get(key) ?? {
      name: seller.vat === undefined ? seller.name : `${seller.name} (${seller.vat})`,
      files: 0
    }
    known.files++
    this.#files++
    this.#counts.set(key, known)
  }

  /** The seller of nearly all files; or the names of those who share them. */
  get chosen(): { readonly seller: string } | { readonly shared: ReadonlyArray<string> } | undefined {
    const sorted = [...this.#counts].toSorted(([, a], [, b]) => b.files - a.files)
    const [first] = sorted
    if (first === undefined) return undefined
    if (first[1].files >= NEARLY_ALL * this.#files) return { seller: first[0] }
    return { shared: sorted.slice(0, 5).map(([, { files, name }]) => `${name}: ${files}`) }
  }
}
