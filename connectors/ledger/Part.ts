/** A page of a part of the source, whose complete read is a scan. */
import type { PageContents, StatedTotal } from "../Connector.ts"

export interface Part extends PageContents {
  readonly name: string
  readonly begins: boolean
  readonly ends: boolean
  readonly stated?: ReadonlyArray<StatedTotal>
}
