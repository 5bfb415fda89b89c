/** Mistakes about orders, one each, and the case that must catch it: `mutants.ts` tries them. */

export interface Mutant {
  readonly name: string
  /** The case that catches it. */
  readonly item: string
  /** The shop through which it does; files unless given. */
  readonly shop?: "shopify" | "woocommerce"
  readonly file: string
  readonly from: string
  readonly to: string
  /** What must go as well, where one check stands behind another. */
  readonly also?: ReadonlyArray<Change>
}

export type Change = Pick<Mutant, "file" | "from" | "to">

const POSTINGS = "sync/rules/OrderPostings.ts"

export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "contradictions do not stop what follows",
    item: "12a",
    file: POSTINGS,
    from: "broken !== undefined || contradicted.length > 0 || unfitting.size > 0",
    to: "broken !== undefined || unfitting.size > 0"
  },
  {
    name: "a fact that was moved is not looked for elsewhere",
    item: "12c",
    file: "sync/plan/Facts.ts",
    from: "other === null ? [] : [{ fact: key, subject: other }]",
    to: "other === null ? [] : []"
  },
  {
    name: "currencies are not compared",
    item: "5a",
    file: "sync/rules/OrderContradictions.ts",
    from: 'remote.currency === "" || remote.currency === currency',
    to: 'remote.currency === "" || currency !== ""'
  },
  {
    name: "terms are today's",
    item: "14",
    file: "sync/model/RemoteOrder.ts",
    from: "  if (remote.terms !== undefined) return remote.terms\n",
    to: ""
  },
  {
    name: "a stated shortfall makes the others dearer",
    item: "4a",
    file: "sync/rules/OrderAllocation.ts",
    from: "const less = worth > amount ? worth - amount : 0n",
    to: "const less = worth > amount ? 0n : 0n"
  },
  {
    name: "all that is left is what the ledger leaves",
    item: "1a",
    file: POSTINGS,
    from: "const [goods, left, lines] = [entryOf(this.#goods, key), this.#left, this.#lines]",
    to: `const [left, lines] = [this.#left, this.#lines]
    const rest = lines.rest().map(({ line, quantity }) => ({ line, quantity: BigInt(Math.round(Number(quantity) * 1e8)) }))
    const goods = document.lines.length > 0 ? this.#goods.get(key)! : rest`
  },
  {
    name: "a fact without lines contradicts nothing",
    item: "2a",
    file: "sync/rules/OrderContradictions.ts",
    from: "  const asked = new Map<string, bigint>()\n",
    to: "  if (document.lines.length === 0) return undefined\n  const asked = new Map<string, bigint>()\n"
  },
  {
    name: "a payment is not read before it is taken from",
    item: "13a",
    file: "sync/rules/Orders.ts",
    from: "if (!idle && !looked) plan(look(facts, order, remote))",
    to: "if (!idle && !looked && order.number === undefined) plan(look(facts, order, remote))"
  },
  {
    name: "claims of one payment are not compared",
    item: "6b",
    file: "sync/plan/Plan.ts",
    from: "rivals: PaymentHolders.rivals(db, connection, facts, remote),",
    to: "rivals: [],"
  },
  {
    name: "what a person accepted by hand is not given to its goods",
    item: "13b",
    file: POSTINGS,
    from: 'const isByHand = byHand > 0n && posting.amount !== "0"',
    to: 'const isByHand = byHand < 0n && posting.amount !== "0"'
  },
  {
    name: "a return of nothing passes",
    item: "2c",
    file: "sync/rules/FactWorth.ts",
    from: 'taking === "refund" && !lines.isBack',
    to: 'taking === "refund" && lines.isBack && !lines.isBack'
  },
  {
    name: "goods that left without a deferred payment are not named",
    item: "7d",
    file: "sync/reconciliation/OrderStatement.ts",
    from: "if (captured === 0n) return",
    to: "if (captured >= 0n) return"
  },
  {
    name: "a rejected checkout is as good as an accepted one",
    item: "15a",
    file: "sync/apply/DeferredPaymentReader.ts",
    from: "free.filter(({ payment }) => payment !== undefined && !isSpent(payment))",
    to: "free.filter(({ payment }) => !isSpent(payment!) || free.length > 0).slice(0, 1)"
  },
  {
    name: "another deferred payment in the source is not noticed",
    item: "8",
    file: "sync/rules/OrderIdentity.ts",
    from: "return deferredPayment === remote.id ? undefined : deferredPayment",
    to: "return undefined"
  },
  {
    name: "the statement knows what was sent, and no facts",
    item: "0",
    file: "sync/rules/OrderComparison.ts",
    from: "if (should[what] !== held) return [apart]",
    to: "if (should[what] !== held) return sumSent(remote.postings, KINDS[what]) === held ? [] : [apart]"
  },
  {
    name: "the shop's own totals are not compared",
    item: "0b",
    file: "sync/rules/OrderComparison.ts",
    from: "if (total === undefined) continue",
    to: "if (total === undefined || total > 0n) continue"
  },
  {
    name: "what comes back of an order that is not exported is ignored",
    item: "3",
    file: "sync/rules/Orders.ts",
    from: "if (order === undefined) return { ...nothing, attention: rest }",
    to: "if (order === undefined || facts.deleted) return { ...nothing, attention: rest }"
  },
  {
    name: "what contradicted an order is forgotten once it is not exported",
    item: "3b",
    file: "sync/rules/OrderContradictions.ts",
    from: "facts.deleted && posting.contradicted !== true &&",
    to: "facts.deleted &&"
  },
  {
    name: "orders of a lost state file are not looked for on the service",
    item: "7a",
    file: "sync/apply/FirstSend.ts",
    from: "if (transaction !== undefined || creating.length === 0) return transaction",
    to: "if (transaction !== undefined || creating.length >= 0) return transaction"
  },
  {
    name: "orders of a connection that is renamed are not looked for on the service",
    item: "7f",
    file: "sync/apply/FirstSend.ts",
    from: "if (configured.has(origin.connection)) continue",
    to: "if (configured.has(origin.connection) || origin.connection !== id) continue"
  },
  {
    name: "an order that waits for its buyer is read as a deferred payment",
    item: "9",
    file: "sync/apply/DeferredPaymentReader.ts",
    from: "return isPaid(remote) ? this.#payment(remote.id) : this.#ofOrder(remote.id, false)",
    to: "return this.#payment(remote.id)"
  },
  {
    name: "a foreign page decides",
    item: "10",
    file: "core/Answers.ts",
    from: "if (!isJson(type) || !isOwnRefusal(status, body)) {",
    to: "if (status === 401 && (!isJson(type) || !isOwnRefusal(status, body))) {"
  },
  {
    name: "an order that ended is done with before its buyer takes the shop's own offer",
    item: "11",
    file: "sync/rules/OrderCreation.ts",
    from: "if (!there && offer === undefined && offers)",
    to: "if (!there && offer === undefined)"
  },
  {
    name: "a return under another key is another one",
    item: "12d",
    file: "sync/rules/OrderContradictions.ts",
    from: "if (document === undefined && left) return []",
    to: 'if (document === undefined && (left || taking === "refund")) return []'
  },
  {
    name: "a refund by hand does not stop refunds",
    item: "13c",
    file: POSTINGS,
    from: 'this.#refundsStopped = wrong || strange("refund")',
    to: "this.#refundsStopped = wrong"
  },
  {
    name: "what the ledger does not know of does not stop captures",
    item: "16",
    file: POSTINGS,
    from: 'this.#stopped = wrong || strange("capture") || strange("void")',
    to: "this.#stopped = wrong"
  },
  {
    name: "a state file that was put back is not noticed",
    item: "16",
    file: "sync/state/FileIdentity.ts",
    from: "if (known.length > 0 && (stamp === null || !known.includes(stamp)))",
    to: "if (known.length > 0 && stamp !== null && known.length === 0)"
  },
  {
    name: "a buyer who is gone from the service is never looked for again",
    item: "17h",
    file: "sync/apply/AttentionActions.ts",
    from: "if (found?.why.includes(BUYER_LOST))",
    to: "if (found?.why === BUYER_LOST)"
  },
  {
    name: "goods of a payment that ended are nobody's matter",
    item: "17f",
    file: "sync/rules/Orders.ts",
    from: "attention: lost ? [deleted(facts, remote)] : [],",
    to: "attention: lost ? [] : [],"
  },
  {
    name: "what is authorised beyond the order is kept",
    item: "17g",
    file: POSTINGS,
    from: "&& this.#left > 0n && !deleted",
    to: "&& this.#left > 0n && !deleted && this.#left <= total(this.#lines.rest())"
  },
  {
    name: "a fact's currency is not compared with its order's",
    item: "5c",
    file: "sync/rules/OrderContradictions.ts",
    from: "document.currency === currency ? undefined : document.currency",
    to: "document.currency === currency ? undefined : undefined"
  },
  {
    name: "what an order that was read whole does not have any more stays",
    item: "12a",
    shop: "woocommerce",
    file: "sync/books/Complete.ts",
    from: "if (complete.length === 0 || quarantined.some(({ id }) => id === undefined)) return []",
    to: "if (complete.length >= 0 || quarantined.some(({ id }) => id === undefined)) return []"
  },
  {
    name: "what left on the day of a refund had left before it",
    item: "17d",
    shop: "woocommerce",
    file: "connectors/Refunds.ts",
    from: "add(at === this.#day ? this.#today : this.#out, line, quantity)",
    to: "add(at === BEFORE_ALL ? this.#today : this.#out, line, quantity)"
  },
  {
    name: "days are Greenwich's",
    item: "17e",
    shop: "woocommerce",
    file: "connectors/woocommerce/Clock.ts",
    from: "gmt + (nearest?.ahead ?? 0)",
    to: "gmt + (nearest === undefined ? 1 : 0)"
  },
  {
    name: "a parcel that did not leave after all has left",
    item: "12a",
    shop: "shopify",
    file: "connectors/shopify/Mapping.ts",
    from: 'parcel.oneOf("status", PARCELS) === "SUCCESS"',
    to: 'parcel.oneOf("status", PARCELS) !== ""'
  },
  {
    name: "what another order holds is not compared when orders change their numbers",
    item: "6c",
    file: "sync/apply/DeferredPaymentReader.ts",
    from: "return (holder !== undefined && holder !== subject) || this.#isHeld(subject, seen)",
    to: "return holder === subject && this.#isHeld(subject, seen) && holder === null",
    also: [
      {
        file: "sync/plan/PaymentHolders.ts",
        from: "db.prepare(HELD).get({ subject, payment: id, order: order ?? null }) !== undefined",
        to: "db.prepare(HELD).get({ subject, payment: id, order: order ?? null }) === null"
      },
      { file: "sync/apply/DeferredPaymentReader.ts", from: "if (live.length > 1) {", to: "if (live.length > 9) {" }
    ]
  },
  {
    name: "a connection under another name is a new one",
    item: "7b",
    file: "sync/plan/SourceBindings.ts",
    from: "if (old !== undefined)\n      throw refuse(",
    to: "if (old === null)\n      throw refuse(",
    also: [
      {
        file: "sync/apply/FirstSend.ts",
        from: "if (configured.has(origin.connection)) continue",
        to: "if (configured.has(origin.connection) || origin.connection !== id) continue"
      }
    ]
  },
  {
    name: "what the service captured beyond what was sent is nobody's matter",
    item: "7c",
    file: POSTINGS,
    from: "    .filter((taking) => apart(remote, taking) !== 0n)\n    .map",
    to: "    .filter((taking) => apart(remote, taking) < 0n)\n    .map"
  },
  {
    name: "an older state file is as good as the last one for orders of one number",
    item: "7e",
    file: "sync/state/FileIdentity.ts",
    from: "if (known.length > 0 && (stamp === null || !known.includes(stamp)))",
    to: "if (known.length > 0 && stamp !== null && known.length === 0)"
  }
]
