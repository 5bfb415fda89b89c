/** Attention items about an order. */
import { hash } from "node:crypto"
import type { Attention } from "../model/Call.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { Rule } from "../model/Rule.ts"
import type { OrderQuestion } from "./OrderQuestions.ts"

export const orderAttention = (facts: Pick<OrderFacts, "key">, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})

const quoted = (choices: ReadonlyArray<string>): string => choices.map((one) => JSON.stringify(one)).join(" or ")

/** A question, with the answers that end it. */
export const questionItem = (
  facts: Pick<OrderFacts, "key">,
  { about, choices, rule, why }: OrderQuestion
): Attention => ({
  ...orderAttention(
    facts,
    rule,
    why,
    `answer with \`daybook attention resolve NUMBER --answer\` and ${quoted(choices)}`
  ),
  code: about
})

/** UUID v5 (RFC 9562) in a namespace of our own. */
export const uuid = (name: string): string => {
  const bytes = Buffer.from(hash("sha1", `daybook\n${name}`, "hex").slice(0, 32), "hex")
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
