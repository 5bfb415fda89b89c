/** A form whose file is read while it is sent: any program reads it as a form, and what is not the file has no end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { streamedForm } from "../../../core/wire/StreamedForm.ts"

const PIECE = 1000

const file = (content: Uint8Array, read = content) => ({
  name: 'one "of"\r\nthem.pdf',
  type: "application/pdf",
  size: content.length,
  digest: createHash("sha256").update(content).digest("base64url"),
  piece: (n: number) => (n * PIECE < read.length ? read.subarray(n * PIECE, (n + 1) * PIECE) : undefined)
})

const sent = ({ stream }: ReturnType<typeof streamedForm>) =>
  Effect.map(Stream.runCollect(stream), (pieces) => Buffer.concat([...pieces]))

const content = Uint8Array.from({ length: 3 * PIECE + 7 }, (_, n) => (n * 31) % 256)

describe("a form that is streamed", () => {
  it.effect("is a form as long as it says, with members, name, type and content", () =>
    Effect.gen(function* () {
      const form = streamedForm({ policy: "policy-1", type: "invoice" }, file(content))
      const bytes = yield* sent(form)
      assert.strictEqual(bytes.length, form.contentLength)
      assert.deepStrictEqual(yield* sent(streamedForm({ policy: "policy-1", type: "invoice" }, file(content))), bytes)
      const read = yield* Effect.promise(() =>
        new Response(bytes, { headers: { "content-type": form.contentType } }).formData()
      )
      assert.deepStrictEqual([read.get("policy"), read.get("type")], ["policy-1", "invoice"])
      const part = read.get("file") as File
      assert.deepStrictEqual([part.name, part.type], ['one "of"\r\nthem.pdf', "application/pdf"])
      assert.deepStrictEqual(new Uint8Array(yield* Effect.promise(() => part.arrayBuffer())), content)
    })
  )

  it.effect("reads one piece at a time, and none before it is asked for", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const piece = (n: number) => {
        asked.push(n)
        return file(content).piece(n)
      }
      const form = streamedForm({}, { ...file(content), piece })
      yield* Stream.runDrain(Stream.take(form.stream, 2))
      assert.deepStrictEqual(asked, [0])
    })
  )

  it.effect("has no end where the file was replaced, or is not there any more", () =>
    Effect.gen(function* () {
      const changed = Uint8Array.from(content, (byte, n) => (n === 2500 ? byte ^ 1 : byte))
      for (const read of [changed, content.subarray(0, 2 * PIECE), new Uint8Array()]) {
        const why = yield* Effect.flip(sent(streamedForm({}, file(content, read))))
        assert.match(why.message, /was replaced while it was sent/)
      }
    })
  )
})
