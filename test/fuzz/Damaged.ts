/**
 * Files of each format, broken by chance, and what becomes of them. A damaged file may be read like the whole one, or with a word: a
 * quarantined record, a notice, a total that differs from what was read. What it may not do is stop a run, or lose, add or change an
 * amount of money in silence.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Exit, Layer, ManagedRuntime, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "../../connectors/Connector.ts"
import type { Document } from "../../connectors/Document.ts"
import { SourceError } from "../../connectors/Connector.ts"
import { contentsOf } from "../../connectors/einvoice/Contents.ts"
import { openBytes } from "../../connectors/einvoice/Folder.ts"
import { Known } from "../../connectors/einvoice/Known.ts"
import type { Settings } from "../../connectors/einvoice/Settings.ts"
import { files } from "../../connectors/files/Files.ts"
import { ledger } from "../../connectors/ledger/Ledger.ts"
import type { Dice } from "../simulation/Dice.ts"

/** What a file became. */
interface Became {
  /** Of each document, all that is read of it; sorted. */
  readonly documents: ReadonlyArray<string>
  /** Of each document, what it says of money: whether it is owed or paid, how much; sorted. */
  readonly money: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
  readonly crash?: string
}

export interface Subject {
  readonly name: string
  /** It is pulled as a whole connection, which takes several times as long. */
  readonly isPulled?: true
  readonly file: string
  readonly bytes: Buffer
  readonly read: (bytes: Buffer) => Promise<Became>
}

const sum = (shares: ReadonlyArray<{ readonly amount: bigint }>): bigint =>
  shares.reduce((all, { amount }) => all + amount, 0n)

const moneyOf = (one: Document): ReadonlyArray<string> => {
  if (one.kind === "invoice") return [`${one.kind} ${one.currency} ${one.gross}`]
  if (!("shares" in one)) return []
  return [`${one.kind} ${one.currency} ${sum(one.shares) + ("unallocated" in one ? (one.unallocated ?? 0n) : 0n)}`]
}

/** What a plan says: of a payment or credit note whose invoice is not there, and of money owed back of which nobody says for what. */
const plannedOf = (documents: ReadonlyArray<Document>): ReadonlyArray<string> => {
  const invoices = documents.filter((one) => one.kind === "invoice")
  const asked = new Set(invoices.map(({ id }) => id))
  const named = documents.flatMap((one) => ("shares" in one ? one.shares.map(({ invoice }) => invoice) : []))
  return [
    ...named.filter((one) => !asked.has(one)).map((one) => `invoice ${one} is not there`),
    ...invoices.filter(({ gross = 0n }) => gross < 0n).map(({ id }) => `${id} is owed back for no invoice`)
  ]
}

/** Says nothing of what is read. */
const ENCODED = /^it is not UTF-8/

const became = (pages: ReadonlyArray<Pick<Page<unknown>, "read" | "quarantined" | "notices" | "stated">>): Became => {
  const documents = pages.flatMap(({ read }) => read.map(({ document }) => document))
  const said = pages.flatMap(({ notices = [], quarantined, stated = [] }) => [
    ...quarantined.map(({ why }) => why),
    ...notices.map(({ what }) => what).filter((what) => !ENCODED.test(what)),
    ...stated.filter(({ amount, read }) => amount !== read).map(({ what }) => `${what} differs`)
  ])
  return {
    documents: documents
      .map((one) => JSON.stringify(one, (_, v: unknown) => (typeof v === "bigint" ? `${v}n` : v)))
      .toSorted(),
    money: documents.flatMap(moneyOf).toSorted(),
    words: [...said, ...plannedOf(documents)]
  }
}

const crashed = (crash: string): Became => ({ documents: [], money: [], words: [], crash })

const CHOICES: Settings = {
  path: ".",
  terms_days: 30,
  prepaid: "payment",
  corrected_invoices: "add",
  negative_credit_notes: "credit"
}

const sellersOf = async (file: string, bytes: Buffer): Promise<ReadonlyArray<string>> => {
  const names: Array<string> = []
  for await (const { found } of openBytes(file, bytes, {}))
    for (const { facts } of found) if (!("nothing" in facts)) names.push(facts.seller.vat ?? facts.seller.name)
  return names
}

export const invoiceFile = (name: string, file: string, bytes: Buffer): Subject => {
  const issued = sellersOf(file, bytes)
  const read = async (broken: Buffer): Promise<Became> => {
    try {
      const pages: Array<ReturnType<typeof contentsOf>> = []
      const around = {
        settings: CHOICES,
        sellers: await issued,
        replaced: new Set<string>(),
        known: new Known(undefined, CHOICES)
      }
      for await (const opened of openBytes(file, broken, {})) pages.push(contentsOf(opened, around))
      return became(pages)
    } catch (cause) {
      return crashed(String(cause instanceof Error ? cause.stack : cause))
    }
  }
  return { name, file, bytes, read }
}

const runtime = ManagedRuntime.make(Layer.mergeAll(NodeServices.layer, FetchHttpClient.layer))
let folder = ""

/** In memory: a disk would be waited for. */
export const begin = (): void => {
  folder = mkdtempSync("/dev/shm/daybook-damaged-")
}
export const finish = (): void => rmSync(folder, { recursive: true, force: true })

const pulled = async (stream: Stream.Stream<Page<never>, SourceError, never>): Promise<Became> => {
  const exit = await runtime.runPromiseExit(Stream.runCollect(stream))
  if (Exit.isSuccess(exit)) return became([...exit.value])
  const failure = Cause.squash(exit.cause)
  return failure instanceof SourceError
    ? { documents: [], money: [], words: [failure.message] }
    : crashed(Cause.pretty(exit.cause))
}

const onDisk =
  (file: string, pull: () => unknown) =>
  async (bytes: Buffer): Promise<Became> => {
    const path = join(folder, file)
    mkdirSync(join(path, ".."), { recursive: true })
    writeFileSync(path, bytes)
    try {
      return await pulled(pull() as Stream.Stream<Page<never>, SourceError, never>)
    } finally {
      rmSync(path)
    }
  }

export const ledgerFile = (name: string, file: string, bytes: Buffer): Subject => ({
  isPulled: true,
  name,
  file,
  bytes,
  read: onDisk(join(name, file), () =>
    ledger.pull({ path: file, terms_days: 30 }, undefined, { folder: join(folder, name) })
  )
})

/** @param beside the statement before it, which is whole */
export const bankFile = (format: string, file: string, bytes: Buffer, beside?: string): Subject => ({
  isPulled: true,
  name: format,
  file,
  bytes,
  read: onDisk(join(format, file), () => {
    if (beside !== undefined) writeFileSync(join(folder, format, `before-${file}`), beside)
    return files.pull(
      {
        payments: {
          path: beside === undefined ? file : `*${file}`,
          format,
          ...(format === "pain002" ? { rejects: "reversal" } : {})
        }
      } as never,
      undefined,
      { folder: join(folder, format) }
    )
  })
})

/** Damage to a file: what happens to bytes, and what a person or a program does to lines, elements and figures. */
const DAMAGE: Readonly<Record<string, (bytes: Buffer, dice: Dice) => Buffer>> = {
  bits: (bytes, dice) => {
    const made = Buffer.from(bytes)
    for (let n = 1 + dice.below(3); n > 0; n--) {
      const at = dice.below(made.length)
      made[at] = (made[at] ?? 0) ^ (1 << dice.below(8))
    }
    return made
  },
  digit: (bytes, dice) => {
    const made = Buffer.from(bytes)
    for (let tries = 0, at = dice.below(made.length); tries < made.length; tries++, at = (at + 1) % made.length) {
      const byte = made[at] ?? 0
      if (byte < 0x30 || byte > 0x39) continue
      made[at] = 0x30 + ((byte - 0x30 + 1 + dice.below(9)) % 10)
      break
    }
    return made
  },
  cut: (bytes, dice) => bytes.subarray(0, dice.below(bytes.length)),
  piece: (bytes, dice) => {
    const [from, length] = [dice.below(bytes.length), 1 + dice.below(dice.chance(0.3) ? 200 : 5)]
    const piece = bytes.subarray(from, from + length)
    const into = dice.of([Buffer.alloc(0), Buffer.concat([piece, piece]), Buffer.from(piece).reverse(), ...ODD])!
    return Buffer.concat([bytes.subarray(0, from), into, bytes.subarray(from + length)])
  },
  line: (bytes, dice) => {
    const all = bytes.toString("latin1").split(/(?<=\n)/)
    const [at, other] = [dice.below(all.length), dice.below(all.length)]
    const [line = "", second = ""] = [all[at], all[other]]
    dice.of([
      () => all.splice(at, 1),
      () => all.splice(at, 0, line),
      () => ([all[at], all[other]] = [second, line]),
      () => all.splice(at, 1 + dice.below(4))
    ])!()
    return Buffer.from(all.join(""), "latin1")
  },
  element: (bytes, dice) => {
    const text = bytes.toString("latin1")
    const opens = [...text.matchAll(/<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?>/g)]
    const one = dice.of(opens)
    const end = one === undefined ? -1 : text.indexOf(`</${one[1]}>`, one.index)
    if (one === undefined || end < 0) return DAMAGE["line"]!(bytes, dice)
    const to = end + (one[1] ?? "").length + 3
    const piece = text.slice(one.index, to)
    const into = dice.of(["", piece + piece, one[0] + text.slice(end, to)])!
    return Buffer.from(text.slice(0, one.index) + into + text.slice(to), "latin1")
  }
}

const ODD = ["\u0000", "<", "&", "\n", "-", "0", "9", ",", ".", ";", "\t", '"', "</", ">", " ", "é"].map((text) =>
  Buffer.from(text)
)

export const KINDS = Object.keys(DAMAGE)

export const damaged = (bytes: Buffer, kind: string, dice: Dice): Buffer => DAMAGE[kind]!(bytes, dice)

export type Verdict = "same" | "said" | "other" | "lost" | "added" | "changed" | "crash"

/** @param whole what the undamaged file becomes */
export const verdict = (whole: Became, now: Became): Verdict => {
  if (now.crash !== undefined) return "crash"
  if (whole.documents.join("\n") === now.documents.join("\n")) return "same"
  const before = [...whole.words]
  const isSaid = now.words.some((word) => {
    const at = before.indexOf(word)
    if (at >= 0) before.splice(at, 1)
    return at < 0
  })
  if (isSaid) return "said"
  if (whole.money.join("\n") === now.money.join("\n")) return "other"
  const [were, after] = [whole.money.length, now.money.length]
  return after < were ? "lost" : after > were ? "added" : "changed"
}

/** Whether all but reversals are the same. */
export const onlyReversals = (whole: Became, now: Became): boolean => {
  const others = ({ money }: Became) => money.filter((one) => !one.startsWith("reversal ")).join("\n")
  return others(whole) === others(now)
}

export const filesIn = (root: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .toSorted()
