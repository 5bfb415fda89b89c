/** Writes FECs of invented companies, and pulls a folder of them. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Exit, Layer, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import type { Page } from "../../../connectors/Connector.ts"
import { ledger } from "../../../connectors/ledger/Ledger.ts"
import type { Bookmark } from "../../../connectors/ledger/Known.ts"
import type { Settings } from "../../../connectors/ledger/Settings.ts"
import * as Decimal from "../../../core/money/Decimal.ts"

export interface How {
  readonly separator?: string
  /** Montant and Sens in place of Debit and Credit. */
  readonly sides?: boolean
}

const NAMES: Readonly<Record<string, string>> = { C1: "Atelier Nord", C2: "Café Lumière", C3: "Hôtel du Bœuf" }

const PLAIN = "CompteNum|CompteLib|CompAuxNum|CompAuxLib|PieceRef|PieceDate|EcritureLib"
const HEAD = `JournalCode|JournalLib|EcritureNum|EcritureDate|${PLAIN}`

/**
 * Lines like `VE 1 20260105: 411/C1 D 120,00 FA-1 A | 706 C 100,00 | 44571 C 20,00`: journal, entry, day, and of each line the
 * account (with its customer), side, amount, and for the first the piece and the letter. `FA-1@20251203` dates the piece.
 */
export const fec = (entries: ReadonlyArray<string>, { separator = "\t", sides = false }: How = {}): string => {
  const rows = entries.flatMap((entry) => {
    const [head = "", text = ""] = entry.split(": ")
    const [journal, number, day] = head.split(" ")
    return text.split(" | ").map((line) => {
      const [accounts = "", side, amount = "", piece = "", letter = "", ...label] = line.split(" ")
      const [account, customer = ""] = accounts.split("/")
      const [ref, refDay = day] = piece.split("@")
      const amounts = sides ? [amount, side] : side === "D" ? [amount, "0,00"] : ["0,00", amount]
      const said = label.length > 0 ? label.join(" ") : `Texte ${ref}`
      return [
        ...[journal, journal, number, day, account, account, customer, NAMES[customer] ?? "", ref, refDay, said],
        ...amounts,
        ...[letter === "-" ? "" : letter, "", day, "", ""]
      ].join(separator)
    })
  })
  const head = `${HEAD}|${sides ? "Montant|Sens" : "Debit|Credit"}|EcritureLet|DateLet|ValidDate|Montantdevise|Idevise`
  return `${[head.replaceAll("|", separator), ...rows].join("\r\n")}\r\n`
}

/** An invoice of 120.00 for each 100.00 without tax. */
export const sale = (
  number: string,
  day: string,
  customer: string,
  gross: string,
  piece: string,
  letter = ""
): string => {
  const cents = BigInt(gross.replace(",", ""))
  const [tax, net] = [cents / 6n, cents - cents / 6n].map(written)
  return `VE ${number} ${day}: 411/${customer} D ${gross} ${piece} ${letter === "" ? "-" : letter} Facture ${piece} | 706 C ${net} ${piece} | 44571 C ${tax} ${piece}`
}

export const receipt = (
  number: string,
  day: string,
  customer: string,
  amount: string,
  piece: string,
  letter = ""
): string =>
  `BQ ${number} ${day}: 512 D ${amount} ${piece} | 411/${customer} C ${amount} ${piece} ${letter === "" ? "-" : letter} Virement`

const written = (cents: bigint): string => `${cents / 100n},${String(cents % 100n).padStart(2, "0")}`

export const pullFrom = async (folder: string, settings: Partial<Settings> = {}, after?: Bookmark) => {
  const stream = ledger.pull({ path: ".", terms_days: 30, ...settings }, after, { folder })
  const exit = await Effect.runPromiseExit(
    Stream.runCollect(stream).pipe(Effect.provide(Layer.mergeAll(NodeFileSystem.layer, FetchHttpClient.layer)))
  )
  if (!Exit.isSuccess(exit)) throw new Error(String(exit.cause))
  const pages = exit.value as ReadonlyArray<Page<Bookmark>>
  const read = pages.flatMap((page) => page.read)
  return {
    read,
    said: read.map(({ document }) => said(document)),
    refused: pages.flatMap(({ quarantined }) => quarantined.map(({ origin, why }) => `${origin}: ${why}`)),
    notices: pages.flatMap(({ notices = [] }) => notices.map(({ what }) => what)),
    unchanged: pages.flatMap(({ unchanged = [] }) => unchanged),
    stated: pages.flatMap(({ stated = [] }) => stated),
    scans: pages.flatMap(({ scan }) => (scan?.ends === true ? [scan.name] : [])),
    bookmark: pages.at(-1)!.bookmark
  }
}

const said = (document: Page<Bookmark>["read"][number]["document"]): string => {
  const shown = (amount: Decimal.Decimal) => Decimal.format(amount, 2)
  switch (document.kind) {
    case "invoice": {
      const open = document.stated?.open === undefined ? "" : ` open ${shown(document.stated.open)}`
      const gross = document.gross === undefined ? "" : shown(document.gross)
      return `${document.status === "void" ? "void " : ""}invoice ${document.id} ${gross}${open}`
    }
    case "payment":
    case "reversal":
    case "credit_note": {
      const shares = document.shares.map(({ amount, invoice }) => `${shown(amount)} of ${invoice}`)
      const rest =
        "unallocated" in document && document.unallocated !== undefined
          ? [`${shown(document.unallocated)} of none`]
          : []
      const type = document.kind === "reversal" ? ` ${document.type}` : ""
      return `${document.kind}${type} ${document.date} ${[...shares, ...rest].join(", ")}`
    }
    default:
      return document.kind
  }
}
