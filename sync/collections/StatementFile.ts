/** Writes the documents made from the books as files. Loaded only when one is made, because the typesetting code is large. */
import type * as FileStore from "./FileStore.ts"
import { type ParcelProof, deliveryPdf } from "./ProofOfDelivery.ts"
import { type OrderProof, orderPdf } from "./ProofOfOrder.ts"
import { type AccountStatement, statementPdf } from "./StatementOfAccount.ts"

type Made = Pick<FileStore.NewFile, "name" | "bytes"> | { readonly why: string }

const named = (name: string, made: Buffer | { readonly why: string }): Made =>
  "why" in made ? made : { name, bytes: made }

/**
 * The latest statements of account by what they say, as every sync makes those of all late invoices, and few of them have
 * changed since the last. Bounded, because each has some tens of kilobytes.
 */
const made = new Map<string, Made>()
const MOST_MADE = 64

const textOf = (statement: AccountStatement): string =>
  JSON.stringify(statement, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))

export const statementFile = async (statement: AccountStatement): Promise<Made> => {
  const text = textOf(statement)
  const known = made.get(text) ?? named("statement-of-account.pdf", await statementPdf(statement))
  made.delete(text)
  made.set(text, known)
  const [oldest] = made.keys()
  if (made.size > MOST_MADE && oldest !== undefined) made.delete(oldest)
  return known
}

export const orderFile = async (order: OrderProof): Promise<Made> => named("proof-of-order.pdf", await orderPdf(order))

export const deliveryFile = async (delivery: ParcelProof): Promise<Made> =>
  named("proof-of-delivery.pdf", await deliveryPdf(delivery))
