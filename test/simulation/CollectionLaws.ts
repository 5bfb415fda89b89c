/**
 * Properties of everything that was handed over, in any history. They compare the service's own store and journal with what a
 * person was shown and confirmed. The ledger is not used.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import { policyStatus } from "../../core/sandbox/resources/Insurance.ts"
import { CAN_HANDOVER } from "../../core/sandbox/rules/States.ts"
import type { Entity } from "../../core/sandbox/store/Store.ts"
import { parseKey } from "../../connectors/Document.ts"
import { openTable } from "../sync/InWorld.ts"
import type { World } from "../sync/World.ts"
import { ACCOUNT, type Collector, digestOf, invoiceOf, type Word } from "./Collector.ts"

/** Type and digest of each document that the service has of a policy. */
const documentsOf = ({ service }: World, policy: unknown): ReadonlyArray<string> =>
  [...service.document.values()]
    .filter((one) => one["policy"] === policy)
    .map(({ content, type }) => `${String(type)} ${digestOf(Buffer.from(String(content), "base64"))}`)
    .toSorted()

const twice = (of: ReadonlyArray<string>): ReadonlyArray<string> => of.filter((one, n) => of.indexOf(one) !== n)

/** Amounts are the same however many zeros end them. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (isAmount(one) && isAmount(other) && Decimal.of(one) === Decimal.of(other))

const isAmount = (value: unknown): value is string => typeof value === "string" && /^\d+(\.\d+)?$/.test(value)

/** Why what was handed over is not what this word was given for. */
const against = (collection: Entity, documents: ReadonlyArray<string>, { documents: shown, fields, said }: Word) => {
  const wanted = { ...fields, ...ACCOUNT, ...said, confirm_correct: true, collections_terms_acceptance: true }
  const wrong = Object.entries(wanted)
    .filter(([name, value]) => !isSame(collection[name], value))
    .map(([name, value]) => `${name} is ${String(collection[name])}, and ${String(value)} was shown`)
  const same = JSON.stringify(documents) === JSON.stringify(shown)
  return same ? wrong : [...wrong, `there are ${documents.join(", ")}, and ${shown.join(", ")} were shown`]
}

/**
 * Nothing is handed over but what a person was shown and gave their word for, with a copy of the invoice and a statement of
 * account; nothing is handed over twice, and no document is there twice.
 *
 * @param lost the state file was lost or replaced: what a person said since is not known
 */
export const handedOver = (world: World, collector: Collector, lost: boolean): ReadonlyArray<string> => {
  const { instance, service } = world
  const found: Array<string> = []
  for (const { id } of service.policy.values())
    for (const one of twice(documentsOf(world, id))) found.push(`${id} has a document twice: ${one}`)
  for (const collection of service.collection.values()) {
    const id = invoiceOf(service, String(collection["transaction"]))
    const { copies, isSaid, left, word, words } = collector.of(id)
    const isDeclared = collection["confirm_correct"] === true || collection["collections_terms_acceptance"] === true
    if (isDeclared && isSaid !== true) found.push(`${id}: a declaration was made that nobody gave`)
    if (collection["sent"] === null) continue
    const documents = documentsOf(world, collection["policy"])
    // What left before the file was replaced may arrive later; what was said before, and had not left, is asked again.
    const given = (lost ? [...left, ...words] : [...left, word]).filter((one) => one !== undefined)
    const [why] = given.map((one) => against(collection, documents, one)).toSorted((a, b) => a.length - b.length)
    if (why === undefined) found.push(`${id} was handed over without anybody's word`)
    else found.push(...why.map((one) => `${id} was handed over as nobody was shown: ${one}`))
    if (!documents.some((one) => one.startsWith("invoice ") && copies.has(one.slice("invoice ".length))))
      found.push(`${id} was handed over, and a document is missing: a copy of the invoice`)
    if (!documents.some((one) => one.startsWith("statement ")))
      found.push(`${id} was handed over, and a document is missing: the statement of account`)
  }
  return [...found, ...sentTwice(instance)]
}

/** A request to hand over what was handed over already. */
const sentTwice = ({ journal }: World["instance"]): ReadonlyArray<string> => {
  const done = new Set<string>()
  return journal.flatMap(({ acted, method, path, status }) => {
    if (method !== "PUT" || !/^\/v1\/collections\/[^/]+\/send$/.test(path)) return []
    // One that was lost on its way, or answered by somebody else, reached nobody.
    const isAgain = done.has(path) && (acted || status === 409)
    if (acted) done.add(path)
    return isAgain ? [`${path} was handed over twice`] : []
  })
}

/** Something is open of it, on the service and in its source. */
const isWanted = ({ documents, service }: World, transaction: string, id: string): boolean => {
  const gross = service.transaction.get(transaction)?.["gross_amount"]
  const payments = [...service.payment.values()].filter((one) => one["transaction"] === transaction)
  const received = Decimal.sum(payments.map(({ amount }) => Decimal.of(String(amount))))
  const invoice = documents.find((one) => one.kind === "invoice" && one.id === id)
  return received < Decimal.of(String(gross)) && invoice?.kind === "invoice" && invoice.status === "open"
}

/** The status of a policy, by the service's clock. */
export const statusNow = ({ time }: World, policy: Entity): string => policyStatus({ now: time.now }, policy)

/** The fields of a collection that others on the service change, see `CoverMoves.ts`. */
const OTHERS = ["debtor_contact_name", "debtor_contact_email"]

/** Others changed a field after a person saw it: what they said is void, and somebody was told. */
const isChanged = (collection: Entity, { fields, prefilled }: Word): boolean =>
  OTHERS.some((name) => !isSame(collection[name], fields[name] ?? prefilled[name] ?? ""))

/** Once it is quiet: whatever can be handed over and has its collection has every file that is there. */
export const prepared = (world: World, collector: Collector): ReadonlyArray<string> => {
  const { service } = world
  const otherwise = "SELECT subject FROM attention WHERE closed IS NULL AND rule = 'H8' AND why LIKE '%says otherwise%'"
  /** A payment that waits may be for it, or a record that cannot be read: somebody was told. */
  const contradicted = new Set(
    openTable(world, "attention", otherwise).map(({ subject }) => parseKey(String(subject)).id)
  )
  const begun = [...service.collection.values()].filter(({ sent }) => sent === null)
  return begun.flatMap((collection) => {
    const { policy } = collection
    const of = service.policy.get(String(policy))!
    if (statusNow(world, of) !== CAN_HANDOVER) return []
    const id = invoiceOf(service, String(of["transaction"]))
    if (!isWanted(world, String(of["transaction"]), id)) return []
    const file = collector.files.get(id)
    const there = documentsOf(world, policy)
    const statements = there.filter((one) => one.startsWith("statement ")).length
    const { attached, word } = collector.of(id)
    // A copy that a person attached stands in place of the one in the folder.
    const isAttached = [...attached.values()].some((one) => there.includes(`invoice ${one}`))
    const differs =
      word === undefined || isChanged(collection, word) || `${word.documents}` !== `${there}` || contradicted.has(id)
    return [
      ...(file?.startsWith("%PDF") === true && !isAttached && !there.includes(`invoice ${digestOf(file)}`)
        ? [
            `${id} can be handed over, and a document is missing: its copy, ${digestOf(file)}, beside ${there.join(", ")}`
          ]
        : []),
      ...(statements === 1 ? [] : [`${id} can be handed over with ${statements} statements of account`]),
      ...(differs ? [] : [`${id} was not handed over, and somebody gave their word for all that is there`])
    ]
  })
}
