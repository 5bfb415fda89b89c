/** Streams a bank's XML as records. */
import { type Record_, records as recordsOf } from "../../XmlRecords.ts"
import { NotABankFile } from "./Entry.ts"

export type { Node, Record_ } from "../../XmlRecords.ts"

export const records = (text: AsyncIterable<string>, names: ReadonlyArray<string>): AsyncGenerator<Record_> =>
  recordsOf(text, names, (why) => new NotABankFile(why))
