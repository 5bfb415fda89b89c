/** Defines the kit's check of document files: a connector must return them unchanged and bounded, or say that there are none. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Cause, Effect, Exit, Layer, Schema, Stream } from "effect"
import * as FileType from "../../core/wire/FileType.ts"
import { type ConnectorContext, type DocumentFile, SourceError } from "../Connector.ts"
import type { Check } from "./Checks.ts"
import { type Bend, quickly, simulate, type Source } from "./Simulator.ts"
import { type Subject, vaultOf, Wrong } from "./Subject.ts"

/** A copy of an invoice. It is not valid UTF-8, so decoding it as text would change it. */
const COPY = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.from("\n%%EOF")])

const NOBODY = "no-such-document"

interface Got {
  readonly files: ReadonlyArray<DocumentFile>
  readonly error?: SourceError
}

/** Requests the files of an invoice. */
const asking = async (
  { connector, environment, oauth, settings }: Subject,
  source: Source,
  id: string,
  largest: number,
  instead: NonNullable<Bend["instead"]>
): Promise<Got> => {
  const { layer } = simulate(source, { instead })
  const context: ConnectorContext = { folder: ".", environment: environment ?? {}, vault: vaultOf(oauth?.held) }
  const decoded: unknown = Schema.decodeUnknownSync(connector.settings as Schema.Codec<unknown>)(settings)
  const files = connector.documents?.(decoded, { kind: "invoice", id }, context, largest) ?? Stream.empty
  const read = files.pipe(Stream.runCollect, Effect.provide(Layer.merge(layer, NodeFileSystem.layer)))
  const exit = await Effect.runPromise(Effect.exit(quickly(read)))
  if (Exit.isSuccess(exit)) return { files: [...exit.value] }
  const error = Cause.squash(exit.cause)
  if (error instanceof SourceError) return { files: [], error }
  throw new Wrong(`asked for a file, it threw instead of failing with a SourceError: ${String(error)}`)
}

const given: Check = async (subject, { source }) => {
  if (subject.connector.documents === undefined) return "it gives no files of documents"
  if (source === undefined) return "it does not read over HTTP"
  const { file } = subject
  if (file === undefined)
    throw new Wrong("its sample does not say which invoice has a file: give `file: { id, path }` beside `open`")
  const pdf = () => new Response(new Uint8Array(COPY), { headers: { "content-type": "application/pdf" } })
  const there: NonNullable<Bend["instead"]> = ({ path }) => (path === file.path ? pdf() : undefined)
  const { error, files } = await asking(subject, source, file.id, COPY.length, there)
  if (error !== undefined) throw new Wrong(`the file of invoice ${file.id} is there, and it fails: ${error.message}`)
  const [one] = files
  if (one === undefined || files.length > 1)
    throw new Wrong(`invoice ${file.id} has one file at ${file.path}, and it gives ${files.length}`)
  const type = FileType.of(one.bytes)
  if ("why" in type || Buffer.compare(one.bytes, COPY) !== 0)
    throw new Wrong(`it changes the file of invoice ${file.id}: ${"why" in type ? type.why : "other bytes arrive"}`)
  if (one.name.trim() === "") throw new Wrong(`the file of invoice ${file.id} has no name`)
  const large = await asking(subject, source, file.id, COPY.length - 1, there)
  if (large.error === undefined)
    throw new Wrong(`it gives a file of ${COPY.length} bytes where at most ${COPY.length - 1} are taken: it must fail`)
  const none = await asking(subject, source, NOBODY, COPY.length, ({ path }) =>
    path.includes(NOBODY) ? new Response("{}", { status: 404 }) : undefined
  )
  if (none.error !== undefined || none.files.length > 0)
    throw new Wrong(
      `an invoice without a file has none, which is no failure: ${none.error?.message ?? `it gives ${none.files.length}`}`
    )
  return undefined
}

export const FILES: Readonly<Record<string, Check>> = {
  "gives the file of an invoice as it is, within its bound, and none where there is none": given
}
