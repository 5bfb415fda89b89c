/**
 * Writes one page of text as a PDF, so that a reader can open the policy documents that the sandbox gives out.
 */
const literal = (line: string): string => line.replace(/[^\x20-\x7e]/g, "?").replace(/[\\()]/g, "\\$&")

/** Characters outside ASCII become question marks. */
export const pdf = (lines: ReadonlyArray<string>): Uint8Array => {
  const text = `BT /F1 14 Tf 72 760 Td 20 TL ${lines.map((line) => `(${literal(line)}) Tj T*`).join(" ")} ET`
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ]
  let body = "%PDF-1.4\n"
  const offsets = objects.map((object, i) => {
    const at = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, "0")} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, "latin1")
}
