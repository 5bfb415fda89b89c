/** Issues certificates for tests, with `openssl`: each by an authority of its own. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Issued {
  /** The file of the authority. */
  readonly ca: string
  readonly tls: { readonly key: string; readonly cert: string }
}

/** @param names like `DNS:localhost,IP:127.0.0.1` */
export const issue = (folder: string, name: string, names: string): Issued => {
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { stdio: "pipe" })
  const at = (end: string) => join(folder, `${name}.${end}`)
  const [ca, caKey, key, request, cert, extensions] = ["ca.crt", "ca.key", "key", "csr", "crt", "ext"].map(at)
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
  openssl("req", "-x509", ...fresh, "-keyout", caKey!, "-out", ca!, "-days", "2", "-subj", "/CN=A test")
  openssl("req", ...fresh, "-keyout", key!, "-out", request!, "-subj", "/CN=server")
  writeFileSync(extensions!, `subjectAltName=${names}`)
  const signed = ["-CA", ca!, "-CAkey", caKey!, "-CAcreateserial", "-days", "2", "-extfile", extensions!]
  openssl("x509", "-req", "-in", request!, ...signed, "-out", cert!)
  return { ca: ca!, tls: { key: readFileSync(key!, "utf8"), cert: readFileSync(cert!, "utf8") } }
}
