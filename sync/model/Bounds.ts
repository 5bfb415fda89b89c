/**
 * What a tenant's configuration may reach. Others may write it, so that it is limited to its own folder, to connectors of
 * this program and to addresses on the internet, unless the operator allows more in `daybook.tenants.json`.
 */

/** A connector that is not ours, as the operator allows it. */
export interface PinnedConnector {
  /** As in `source.connector`. */
  readonly name: string
  /** Its folder, file or package; default: `name`. */
  readonly module?: string
  /** Of its package. */
  readonly version?: string
  /** SHA-256 of its module's file, in hexadecimal. */
  readonly digest: string
}

export interface Bounds {
  /** The operator's file, for messages. */
  readonly file: string
  /** The folder of tenants: modules of connectors are found from here. */
  readonly home: string
  /** Folders, besides the tenant's own, whose files it may read. */
  readonly folders: ReadonlyArray<string>
  readonly connectors: ReadonlyArray<PinnedConnector>
  readonly privateAddresses: boolean
  /** The daemon is there for this machine alone, to be tried out: a service of this machine may be used. */
  readonly isTriedOut: boolean
  /** The variables in the tenant's own file. */
  readonly own: Readonly<Record<string, string | undefined>>
  /** Variables that the daemon itself needs. */
  readonly daemon: ReadonlySet<string>
  /** Which of the daemon's variables it may use, and where each may be sent; without it, to vendors' own addresses only. */
  readonly variables?: Readonly<Record<string, string>>
}
