/** Proves who a client is with a signed JSON Web Token instead of its secret (RFC 7523, 2.2): what is sent cannot be used again. */
import { createPrivateKey, constants, sign } from "node:crypto"

export interface Claims {
  /** The client's id. */
  readonly iss: string
  /** The token endpoint, as its owner knows it. */
  readonly aud: string
  readonly scope?: string | undefined
}

const LASTS_SECONDS = 300

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/**
 * @param certificate the id of the certificate that belongs to the key
 * @param pem the private key; a variable of an environment may have its line ends written as `\n`
 */
export const assertion = (claims: Claims, certificate: string, pem: string, millis: number): string => {
  const key = createPrivateKey(pem.replaceAll("\\n", "\n"))
  const isCurve = key.asymmetricKeyType === "ec"
  const iat = Math.floor(millis / 1000)
  const head = { typ: "JWT", alg: isCurve ? "ES256" : "PS256", kid: certificate }
  const signed = `${encoded(head)}.${encoded({ ...claims, iat, exp: iat + LASTS_SECONDS })}`
  const how = isCurve
    ? ({ key, dsaEncoding: "ieee-p1363" } as const)
    : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return `${signed}.${sign("sha256", Buffer.from(signed), how).toString("base64url")}`
}
