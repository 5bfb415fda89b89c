/**
 * Renders everything about one document as text.
 */
import { type CreditShare, type Document, isOrderFact } from "../../connectors/Document.ts"
import { route } from "../../core/Operations.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { instant } from "./Instants.ts"
import { dueOn, openOn, receivedOn, othersOn } from "../../sync/model/RemoteInvoice.ts"
import type { CallStory, Version } from "../../sync/reports/History.ts"
import type { QuarantinedRow } from "../../sync/reports/QuarantinedRecords.ts"
import type { Story } from "../../sync/library/Explain.ts"
import * as InvoiceFields from "../../sync/rules/InvoiceFields.ts"
import * as SourceFigures from "../../sync/rules/SourceFigures.ts"
import { oneLine, type Style } from "./Output.ts"
import { checkout, orderArithmetic } from "./OrderView.ts"
import { coverLines } from "./CoverView.ts"
import { candidateLines } from "./PaymentView.ts"
import { money } from "./PlanView.ts"
import { plural } from "../../core/Plural.ts"

export const says = (document: Document): string => {
  if (document.kind === "invoice") {
    const { currency, due, gross, issued, net, number, party, status } = document
    const amounts = [
      gross === undefined ? "" : `gross ${money(gross, currency)}`,
      net === undefined ? "" : `net ${money(net, currency)}`
    ].filter((part) => part !== "")
    return `invoice ${number} to ${party.name}, ${amounts.join(", ")}, issued ${issued}, due ${due}, ${status}`
  }
  if (document.kind === "order") {
    const total = document.lines.reduce((sum, { gross }) => sum + gross, 0n)
    return `order ${document.number}, ${money(total, document.currency)} in ${plural(document.lines.length, "line")}, placed ${document.placed}, ${document.status}`
  }
  if (isOrderFact(document)) {
    const lines = document.lines.map(({ line, quantity }) => `${Decimal.format(quantity)} of ${line}`).join(", ")
    const amount =
      document.kind === "fulfilment" || document.amount === undefined
        ? undefined
        : Currency.say(document.amount, document.currency)
    const what = [lines, amount].filter((part) => part !== undefined && part !== "").join(", for ")
    return `${document.kind} of ${document.date}: ${what === "" ? "all that was left" : what}`
  }
  const { currency } = document
  if (document.kind === "payout") {
    const items = document.items.map(({ amount, name }) => `${name} ${Currency.say(amount, currency)}`).join(", ")
    return `payout of ${document.date}, ${document.status}: ${Currency.say(document.amount, currency)} (${items === "" ? "not itemised" : items})`
  }
  const left = document.kind === "credit_note" ? 0n : (document.unallocated ?? 0n)
  const shares = [
    ...document.shares.map((share: CreditShare) => {
      const { amount, among = [share.invoice] } = share
      return `${Currency.say(amount, currency)} on ${among.join(" + ")}`
    }),
    ...(left === 0n ? [] : [`${Currency.say(left, currency)} unallocated`])
  ].join(", ")
  const type = document.kind === "reversal" ? ` (${document.type})` : ""
  return `${document.kind.replace("_", " ")}${type} of ${document.date}: ${shares}`
}

const versionLines = (version: Version, style: Style): ReadonlyArray<string> => [
  `  ${instant(version.read)}  ${version.origin}  ${style.dim(version.deleted ? "deleted in the source" : `version ${version.n}`)}`,
  ...(version.deleted
    ? []
    : [`    ${oneLine(says(version.document))}`, style.dim(`    ${oneLine(version.raw.slice(0, 500))}`)])
]

export const arithmetic = ({ facts, reason, remote }: Story): ReadonlyArray<string> => {
  if (!("invoice" in facts) || (remote !== undefined && remote.kind !== "invoice")) {
    return orderArithmetic(remote?.kind === "order" ? remote : undefined)
  }
  const { invoice } = facts
  if (invoice === undefined) return ["  Not found in the source."]
  const { currency } = invoice
  const sum = (all: ReadonlyArray<{ readonly amount: bigint }>) => Decimal.sum(all.map(({ amount }) => amount))
  const due = InvoiceFields.due(facts, invoice).total
  const received = sum(facts.payments) - sum(facts.reversals)
  const asked = invoice.gross ?? invoice.net ?? 0n
  const credited = sum(facts.creditNotes)
  const show = (amount: Decimal.Decimal) => Currency.group(Currency.format(amount, currency))
  const lines = [
    `  ${show(asked)} asked${credited === 0n ? "" : ` − ${show(credited)} credited = ${show(due)} due`} − ${show(received)} received = ${show(due - received)} open (${currency})`
  ]
  for (const { amount, document, key } of facts.foreign ?? []) {
    lines.push(`  Not counted: ${Currency.say(amount, document.currency)} of ${key}`)
  }
  for (const { amount, document, key, seen = [] } of [...facts.payments, ...facts.reversals]) {
    const others = seen.map(({ date, how, key }) => `${key} (${date}${how === undefined ? "" : `, by ${how}`})`)
    if (others.length > 0)
      lines.push(
        `  One movement of ${show(amount)} on ${document.date}: ${key} counts; the same money is ${others.join(", ")}`
      )
  }
  for (const { fact, like } of facts.waiting ?? [])
    lines.push(
      `  Waits: ${show(fact.amount)} of ${fact.key}, which may be the same money as ${like.map(({ key }) => key).join(", ")}`
    )
  if (reason?.startsWith("T12") === true) lines.push(`  ${reason}`)
  const { says } = SourceFigures.of(facts, invoice, {})
  lines.push(
    says === undefined ? "  The source states no balance of it." : `  The source itself says: ${show(says)} open`
  )
  if (remote !== undefined) {
    const its = String(remote.fields["currency"] ?? currency)
    const held = (amount: Decimal.Decimal) => Currency.group(Currency.format(amount, its))
    lines.push(
      `  On the service: ${held(dueOn(remote))} due − ${held(receivedOn(remote))} received${remote.others === undefined ? "" : ` − ${held(othersOn(remote))} reported by others`}, status ${remote.status}: ${held(openOn(remote))} open${its === currency ? "" : ` (${its})`}`
    )
  }
  return lines
}

const json = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value))

/** An answer without empty fields; `--json` has them all. */
export const said = (answer: unknown): unknown =>
  typeof answer !== "object" || answer === null || Array.isArray(answer)
    ? answer
    : Object.fromEntries(
        Object.entries(answer).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
      )

const OUTCOMES: Readonly<Record<string, string>> = { absent: "not carried out" }

export const callLines = (call: CallStory, style: Style): ReadonlyArray<string> => {
  const { method, path } = route(call.operation, call.params)
  const answer =
    call.outcome === null
      ? "no result yet"
      : `${OUTCOMES[call.outcome] ?? call.outcome}${call.status === null ? "" : ` ${call.status}`}`
  return [
    `  ${style.bold(`#${call.id}`)} ${instant(call.claimed)}  ${call.rule}  ${method} ${path}  ${call.outcome === "done" ? style.green(answer) : style.yellow(answer)}${call.remote === null ? "" : `  ${call.remote}`}`,
    `    because ${oneLine(call.reason)}${call.sends > 1 ? ` (sent ${call.sends} times)` : ""}`,
    ...(call.body === undefined ? [] : [style.dim(`    request ${json(call.body)}`)]),
    ...(call.answer === undefined ? [] : [style.dim(`    answer  ${json(said(call.answer))}`)])
  ]
}

/** For an owner or a buyer there is only what was sent to the service: the configuration, or the orders, describe it. */
const partyText = ({ attention, calls, key, facts }: Story, style: Style): string =>
  [
    style.bold(key),
    "orders" in facts
      ? `  as its latest order states it, of ${facts.orders.length}`
      : "  as the configuration states it",
    "",
    style.bold("Calls"),
    ...calls.flatMap((call) => callLines(call, style)),
    ...attentionLines(attention, style)
  ].join("\n")

const attentionLines = (attention: Story["attention"], style: Style): ReadonlyArray<string> =>
  attention.length === 0
    ? []
    : [
        "",
        style.bold("Attention"),
        ...attention.flatMap(({ closed, how, id, rule, since, todo, why }) => [
          `  ${id} ${instant(since)} ${rule} ${oneLine(why)}`,
          style.dim(closed === null ? `    → ${oneLine(todo)}` : `    closed ${instant(closed)}: ${how ?? ""}`)
        ])
      ]

/** Why nothing is sent for a document, or what may belong to it; the page uses the same words. */
export const UNREAD = "The latest record could not be read, so nothing is sent for it"
export const NAMED = "A record in which it is named could not be read, and may belong to it"

/** A record that could not be read. */
export const quarantinedLines = (
  { field, origin, raw, since, why }: QuarantinedRow,
  style: Style,
  title = UNREAD
): ReadonlyArray<string> => [
  style.yellow(`${title}: ${origin}, quarantined since ${instant(since)}`),
  `  ${field === null ? "" : `${field}: `}${why}`,
  style.dim(`  ${raw.slice(0, 500)}`),
  ""
]

/** Why a document has no versions. */
export const neverRead = ({ facts, quarantined }: Story): string =>
  quarantined.length > 0
    ? "never read: its only record is quarantined"
    : "candidates" in facts
      ? "not found in the source"
      : "not found in the source; payments name it"

/** Says which payout a line of the bank is. */
export const payoutOfLine = (payout: string): string =>
  payout === ""
    ? "a processor paid it, and no payout explains it; daybook payouts lists it"
    : `it is ${payout}, which a processor paid out`

const linesOfPayout = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? ["  no line by itself; daybook payouts says where it is"] : lines.map((line) => `  ${line}`)

/** For a payment without an invoice: where it may belong. */
const looseLines = (story: Story, style: Style): ReadonlyArray<string> => {
  if (!("candidates" in story.facts)) return []
  const { candidates, document, lines, payout } = story.facts
  if (lines !== undefined) return ["", style.bold("At the bank"), ...linesOfPayout(lines)]
  if (payout !== undefined) return ["", style.bold("Which invoice it is for"), `  none: ${payoutOfLine(payout)}`]
  return [
    "",
    style.bold("Which invoice it is for"),
    document === undefined
      ? "  not known before it can be read"
      : story.attention.some(({ closed }) => closed === null)
        ? "  none yet; the item below says why"
        : "  none yet; the next run looks for one",
    ...(candidates.length === 0
      ? []
      : candidateLines(story.key, candidates)
          .split("\n")
          .map((line) => `  ${line}`))
  ]
}

export const storyText = (story: Story, style: Style): string => {
  const { attention, calls, key, reason, related, remote, versions } = story
  if (key.endsWith("/owner") || "orders" in story.facts) return partyText(story, style)
  const lines = [
    style.bold(key),
    "",
    ...story.quarantined.flatMap((row) => quarantinedLines(row, style)),
    ...story.named.flatMap((row) => quarantinedLines(row, style, NAMED)),
    style.bold("In the source")
  ]
  for (const version of versions) lines.push(...versionLines(version, style))
  if (versions.length === 0) lines.push(`  ${neverRead(story)}`)
  if ("candidates" in story.facts)
    return [...lines, ...looseLines(story, style), ...attentionLines(attention, style)].join("\n")
  if (related.length > 0) {
    lines.push("", style.bold("What belongs to it"))
    for (const one of related)
      lines.push(`  ${one.key}`, ...versionLines(one, style).map((line) => (line === "" ? line : `  ${line}`)))
  }
  lines.push("", style.bold("The arithmetic"), ...arithmetic(story))
  lines.push("", style.bold("On the service"))
  lines.push(
    remote === undefined
      ? `  not sent${reason === null ? "" : `: ${reason}`}`
      : remote.kind === "buyer"
        ? `  ${remote.id}`
        : remote.kind === "order"
          ? `  ${remote.id}, ${remote.status}, ${plural(remote.postings.length, "fact")} sent`
          : `  ${remote.id}, ${remote.status}${remote.insured ? ", insured" : ""}, ${plural(remote.postings.length, "payment")} reported`
  )
  if (remote?.kind === "order") lines.push(...checkout(remote))
  lines.push(...coverLines(story, style))
  if (calls.length > 0) lines.push("", style.bold("Calls"), ...calls.flatMap((call) => callLines(call, style)))
  lines.push(...attentionLines(attention, style))
  return lines.join("\n")
}
