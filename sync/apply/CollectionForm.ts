/**
 * Builds the form that uploads a document: its fields, and the file with the given digest. If the file is no longer stored,
 * it was replaced meanwhile, and the planned call is not sent.
 */
import { Result } from "effect"
import { type StreamedForm, streamedForm } from "../../core/wire/StreamedForm.ts"
import { Unsendable } from "../../core/ServiceError.ts"
import * as FileStore from "../collections/FileStore.ts"
import type { CallOf, SentCall } from "../model/Call.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import type { Db } from "../state/Database.ts"
import { filled, type Secrets } from "./NamedSecrets.ts"

interface Payload {
  readonly body: Fields | StreamedForm | undefined
  /** Removes its secrets from a text. */
  readonly hide: (text: string) => string
}

/** What a call sends: a form if it uploads a file, otherwise its body. */
export const payload = (
  db: Db,
  call: SentCall,
  written: Fields | undefined,
  secrets: Secrets | undefined
): Result.Result<Payload, Unsendable> =>
  Result.flatMap(filled(written, secrets), ({ body, hide }): Result.Result<Payload, Unsendable> => {
    if (!("document" in call)) return Result.succeed({ body, hide })
    return Result.map(upload(db, call, body ?? {}), (form) => ({ body: form, hide }))
  })

const upload = (
  db: Db,
  { document: { digest, mime, name }, subject }: CallOf<"collectionDocuments.create" | "orders.putDocument">,
  body: Fields
): Result.Result<StreamedForm, Unsendable> => {
  const file = FileStore.kept(db, subject, digest)
  if (file === undefined) return Result.fail(new Unsendable({ why: `${name} is not kept any more; it was replaced` }))
  const members = Object.entries(body).map(([member, value]) => [member, String(value)] as const)
  return Result.succeed(streamedForm(Object.fromEntries(members), { name, type: mime, digest, ...file }))
}
