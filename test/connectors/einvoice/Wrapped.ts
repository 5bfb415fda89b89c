/** What electronic invoices come in: PDFs, signed files, mails. */
import { deflateSync } from "node:zlib"

/** A PDF with an invoice attached, as `factur-x.xml`, packed. */
export const pdf = (xml: string): Buffer => {
  const stream = deflateSync(xml)
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [ (factur-x.xml) 4 0 R ] >> >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
    "<< /Type /Filespec /F (factur-x.xml) /UF (factur-x.xml) /EF << /F 5 0 R >> >>",
    `<< /Type /EmbeddedFile /Length ${stream.length} /Filter /FlateDecode >>\nstream\n${stream.toString("latin1")}\nendstream`
  ]
  let text = "%PDF-1.7\n"
  const table = objects.map((object, n) => {
    const at = text.length
    text += `${n + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, "0")} 00000 n \n`
  })
  const end = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 6\n0000000000 65535 f \n${table.join("")}${end}`, "latin1")
}

/** Signed data (CMS) of a file, without signers. */
export const signed = (content: Buffer): Buffer => {
  const of = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
    const body = Buffer.concat(parts)
    const length = Buffer.alloc(5)
    length[0] = 0x84
    length.writeUInt32BE(body.length, 1)
    return Buffer.concat([Buffer.from([tag]), length, body])
  }
  const oid = (hex: string) => Buffer.from(hex, "hex")
  return of(
    0x30,
    oid("06092a864886f70d010702"),
    of(
      0xa0,
      of(0x30, oid("020101"), of(0x31), of(0x30, oid("06092a864886f70d010701"), of(0xa0, of(0x04, content))), of(0x31))
    )
  )
}

/** A mail with these files attached. */
export const mail = (files: Readonly<Record<string, Buffer>>): Buffer =>
  Buffer.from(
    [
      'From: a@example.com\r\nSubject: Invoice\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b0"\r\n',
      "--b0\r\nContent-Type: text/plain\r\n\r\nPlease pay.\r\n",
      ...Object.entries(files).map(
        ([name, bytes]) =>
          `--b0\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${bytes
            .toString("base64")
            .replace(/.{76}/g, "$&\r\n")}\r\n`
      ),
      "--b0--\r\n"
    ].join("\r\n"),
    "latin1"
  )
