/**
 * What a person is asked about an order, where the answers lead to different steps. Each is asked once for one picture of the
 * order: when the picture changes, the answer no longer counts.
 */
import type { Rule } from "../model/Rule.ts"
import { givenBack } from "./OrderOwed.ts"
import type { Standing } from "./OrderStanding.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { say } from "./PostingKinds.ts"

export type OrderQuestionKind =
  | "left"
  | "unshipped"
  | "charged"
  | "withdrawn"
  | "unsettled"
  | "surplus"
  | "others"
  | "short"

export interface OrderQuestion {
  readonly kind: OrderQuestionKind
  /** The picture that it is asked for. */
  readonly about: string
  readonly rule: Rule
  readonly why: string
  /** The answers that end it. */
  readonly choices: ReadonlyArray<string>
}

/**
 * What the shop's next record may answer: its money of this order does not add up while goods are back and the money for them
 * is not yet. A person is asked once it stays so.
 */
export const isPassing = ({ kind }: Pick<OrderQuestion, "kind">): boolean => kind === "charged" || kind === "unsettled"

type Asked = Omit<OrderQuestion, "about"> & { readonly picture: ReadonlyArray<bigint | string> }

const units = (quantity: bigint | undefined): string => (quantity === undefined ? "?" : Decimal.format(quantity))

export const askedAbout = {
  left: ({ lines }: Standing): Asked => ({
    kind: "left",
    rule: "O1",
    picture: lines.map(({ id, left }) => `${id}:${units(left)}`),
    why: "the source's status does not say whether the goods left",
    choices: ["they left", "nothing left yet"]
  }),
  unshipped: ({ end, lines }: Standing): Asked => ({
    kind: "unshipped",
    rule: "O2",
    picture: lines.map(({ id, still }) => `${id}:${units(still)}`),
    why: `the order is ${end ?? "open"}, and ${units(lines.reduce((sum, { still }) => sum + still, 0n))} of its goods neither left nor were cancelled`,
    choices: ["they left", "they will not leave", "they are still to leave"]
  }),
  charged: (net: bigint, owe: bigint, its: Standing): Asked => ({
    kind: "charged",
    rule: "O3",
    picture: [net, owe],
    why: `${say(net, its)} was charged and ${say(owe, its)} is owed; the source gave nothing back for the difference`,
    choices: ["give it back", "it is settled otherwise"]
  }),
  withdrawn: (gone: bigint, its: Standing): Asked => ({
    kind: "withdrawn",
    rule: "O1",
    picture: [gone, givenBack(its)],
    why: `${say(gone, its)} was refunded, but the source's record of that is gone: it now shows ${say(givenBack(its), its)} as given back`,
    choices: ["charge it again", STAYS]
  }),
  unsettled: (kept: bigint, owe: bigint, its: Standing): Asked => ({
    kind: "unsettled",
    rule: "O2",
    picture: [kept, owe],
    why: `the source kept ${say(kept, its)} of this payment, and ${say(owe, its)} is owed`,
    choices: [CHARGE, "void it", "keep it"]
  }),
  surplus: (authorised: bigint, began: bigint, its: Standing): Asked => ({
    kind: "surplus",
    rule: "O2",
    picture: [authorised, began],
    why: `${say(authorised, its)} was authorised for an order of ${say(began, its)}`,
    choices: ["void the rest", "it is for something else"]
  }),
  others: (
    { captured, refunded, voided }: { readonly [name in "captured" | "refunded" | "voided"]: bigint },
    its: Standing
  ): Asked => ({
    kind: "others",
    rule: "O6",
    picture: [captured, voided, refunded],
    why: `others captured ${say(captured, its)}, voided ${say(voided, its)} and refunded ${say(refunded, its)}, which this connection did not send`,
    choices: ["it was for this order", "it was for something else"]
  }),
  short: (short: bigint, its: Standing): Asked => ({
    kind: "short",
    rule: "O6",
    picture: [short],
    why: `${say(short, its)} of the order is not authorised, or not any more: it is paid otherwise, or the service's operator has to authorise it`,
    choices: ["it is known"]
  })
}

/** What the shop kept is charged. */
export const CHARGE = "charge it"

/** What was refunded is not charged again. */
export const STAYS = "it stays given back"

/** What resolving a question without an answer means: it moves no money. Whether goods left has no such answer. */
const QUIET: Readonly<Partial<Record<OrderQuestionKind, string>>> = {
  unshipped: "they are still to leave",
  charged: "it is settled otherwise",
  withdrawn: STAYS,
  unsettled: "keep it",
  surplus: "it is for something else",
  others: "it was for this order",
  short: "it is known"
}

/** A person's answer: one of the choices, or the one that moves no money. */
export const answerOf = ({ choices, kind }: OrderQuestion, said: string): string | undefined =>
  choices.includes(said) ? said : QUIET[kind]

/** The questions of one order that are not answered, and those that are. */
export class Questions {
  readonly open: Array<OrderQuestion> = []
  readonly answered: Array<OrderQuestion & { readonly answer: string }> = []
  readonly #answers: Readonly<Record<string, string>>

  constructor(answers: Readonly<Record<string, string>> = {}) {
    this.#answers = answers
  }

  /** A person's answer for this picture, without asking. */
  answer({ kind, picture }: Pick<Asked, "kind" | "picture">): string | undefined {
    const about = `${kind} ${picture.join("/")}`
    return Object.hasOwn(this.#answers, about) ? this.#answers[about] : undefined
  }

  /** A person's answer for this picture; undefined if it is open. */
  ask({ picture, ...question }: Asked): string | undefined {
    const about = `${question.kind} ${picture.join("/")}`
    const answer = this.answer({ ...question, picture })
    if (answer === undefined) this.open.push({ ...question, about })
    else this.answered.push({ ...question, about, answer })
    return answer
  }
}
