/**
 * Lists every package that an installation of Daybook brings along, as CycloneDX 1.5: version, checksum, licence, and what needs what.
 * Made from the lock file alone, without a time or a random number, so that the same lock file gives the same list.
 */

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly integrity?: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface LockFile {
  readonly packages: Readonly<Record<string, Locked>>
}

const FOLDER = "node_modules/"

const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)

/** The package's address: `pkg:npm/%40scope/name@1.2.3`. */
const purl = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`

/** Where Node finds a package that one in this place asks for. */
const resolved = (packages: LockFile["packages"], from: string, name: string): string | undefined => {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf(`/${FOLDER}`)))) {
    const path = `${place === "" ? "" : `${place}/`}${FOLDER}${name}`
    if (packages[path] !== undefined) return path
    if (place === "") return undefined
    // The last one above is at the top.
    if (!place.includes(`/${FOLDER}`)) place = ""
  }
}

const needs = ({ dependencies, optionalDependencies, peerDependencies }: Locked): ReadonlyArray<string> =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })

const licences = (license: string | undefined) =>
  license === undefined
    ? []
    : [/\b(AND|OR|WITH)\b/.test(license) ? { expression: license } : { license: { id: license } }]

const component = (path: string, { integrity = "", license, optional, version = "" }: Locked) => {
  const name = nameOf(path)
  return {
    type: "library",
    "bom-ref": path,
    name,
    version,
    scope: optional === true ? "optional" : "required",
    purl: purl(name, version),
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex") }],
    licenses: licences(license)
  }
}

/** @param own name and version of the package itself */
export const sbom = ({ packages }: LockFile, own: { readonly name: string; readonly version: string }) => {
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true)
  const root = purl(own.name, own.version)
  const refs = new Set(shipped.map(([path]) => path))
  const dependsOn = (path: string, one: Locked) =>
    needs(one)
      .map((name) => resolved(packages, path, name))
      .filter((found) => found !== undefined && refs.has(found))
      .toSorted()
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { type: "application", "bom-ref": root, ...own, purl: root } },
    components: shipped.map(([path, one]) => component(path, one)),
    dependencies: [
      { ref: root, dependsOn: dependsOn("", packages[""] ?? {}) },
      ...shipped.map(([path, one]) => ({ ref: path, dependsOn: dependsOn(path, one) }))
    ]
  }
}
