/** Proves who a client is with a signed JSON Web Token instead of its secret (RFC 7523, 2.2): what is sent cannot be used again. */
import { createPrivateKey, constants, sign } from "node:crypto"

export interface Claims {
  /** The client's id. */
  readonly iss: string
  /** The token endpoint, as its owner knows it. */
  readonly aud: string
  readonly scope?: string | undefined
}

/** What curves sign with (RFC 7518, 3.4); RSA keys sign with PS256. */
const CURVES: Readonly<Record<string, readonly [alg: string, hash: string]>> = {
  prime256v1: ["ES256", "sha256"],
  secp384r1: ["ES384", "sha384"],
  secp521r1: ["ES512", "sha512"]
}

const LASTS_SECONDS = 300

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/**
 * @param certificate the id of the certificate that belongs to the key
 * @param pem the private key; a variable of an environment may have its line ends written as `\n`
 */
export const assertion = (claims: Claims, certificate: string, pem: string, millis: number): string => {
  const key = createPrivateKey(pem.replaceAll("\\n", "\n"))
  const curve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ""]
  if (curve === undefined && key.asymmetricKeyType !== "rsa") throw new Error("it signs in no way that is known")
  const [alg, hash] = curve ?? ["PS256", "sha256"]
  const iat = Math.floor(millis / 1000)
  const head = { typ: "JWT", alg, kid: certificate }
  const signed = `${encoded(head)}.${encoded({ ...claims, iat, exp: iat + LASTS_SECONDS })}`
  const how = curve
    ? ({ key, dsaEncoding: "ieee-p1363" } as const)
    : { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return `${signed}.${sign(hash, Buffer.from(signed), how).toString("base64url")}`
}
