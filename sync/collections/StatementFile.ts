/** Writes the documents made from the books as files. Loaded only when one is made, because the typesetting code is large. */
import type * as FileStore from "./FileStore.ts"
import { type ParcelProof, deliveryPdf } from "./ProofOfDelivery.ts"
import { type OrderProof, orderPdf } from "./ProofOfOrder.ts"
import { type AccountStatement, statementPdf } from "./StatementOfAccount.ts"

type Made = Pick<FileStore.NewFile, "name" | "bytes"> | { readonly why: string }

const named = (name: string, made: Buffer | { readonly why: string }): Made =>
  "why" in made ? made : { name, bytes: made }

export const statementFile = async (statement: AccountStatement): Promise<Made> =>
  named("statement-of-account.pdf", await statementPdf(statement))

export const orderFile = async (order: OrderProof): Promise<Made> => named("proof-of-order.pdf", await orderPdf(order))

export const deliveryFile = async (delivery: ParcelProof): Promise<Made> =>
  named("proof-of-delivery.pdf", await deliveryPdf(delivery))
