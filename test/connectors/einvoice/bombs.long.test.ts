/** PDFs of strangers that unpack to far more than they are: another process takes the harm, and nobody waits for it. */
import { assert, describe, it } from "vitest"
import { Effect } from "effect"
import { deflateSync } from "node:zlib"
import { attachments } from "../../../connectors/einvoice/Pdf.ts"
import { busyDuring } from "../../support/Busy.ts"

/** A PDF with this stream attached, under as many names. */
const pdf = (stream: Buffer, filter: string, names = 1): Buffer => {
  const attached = Array.from({ length: names }, (_, n) => `(${n}) 4 0 R`).join(" ")
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [ ${attached} ] >> >> >>`,
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
    "<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /EF << /F 5 0 R >> >>",
    `<< /Type /EmbeddedFile /Length ${stream.length} /Filter ${filter} >>\nstream\n${stream.toString("latin1")}\nendstream`
  ]
  const offsets: Array<number> = []
  let text = "%PDF-1.7\n"
  for (const [n, object] of objects.entries()) {
    offsets.push(text.length)
    text += `${n + 1} 0 obj\n${object}\nendobj\n`
  }
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")
  const end = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 6\n0000000000 65535 f \n${table}${end}`, "latin1")
}

const packed = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 2 ** 20, " "), { level: 9 })

const said = (bytes: Uint8Array) =>
  attachments(bytes).then(
    (all) => all.map(({ length }) => length),
    (cause: Error) => cause.message
  )

/** What is said, how long nothing else was done meanwhile, and how much memory this process took for it. */
const opened = async (bytes: Uint8Array) => {
  const before = process.memoryUsage.rss()
  const { busy, done } = await Effect.runPromise(busyDuring(Effect.promise(() => said(bytes))))
  assert.isBelow(busy, 250)
  assert.isBelow(process.memoryUsage.rss() - before, 100 * 2 ** 20)
  return Effect.runSync(Effect.fromResult(done))
}

describe("a PDF whose attachment unpacks to far more than it is", { timeout: 60_000 }, () => {
  it("is refused, and takes neither memory nor time of others", async () => {
    const twice = pdf(deflateSync(packed(400), { level: 9 }), "[/FlateDecode /FlateDecode]")
    assert.isBelow(twice.length, 8000)
    assert.match(String(await opened(twice)), /^the PDF takes too long or too much memory to open/)
    assert.match(
      String(await opened(pdf(packed(7), "/FlateDecode", 200))),
      /^the invoice attached to the PDF is too large;/
    )
    assert.deepStrictEqual(await opened(pdf(packed(1), "/FlateDecode")), [2 ** 20])
  })
})
