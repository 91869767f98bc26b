import type { HttpContext } from '../http/http-context.ts'
import type { WidgetEndpoint } from './endpoints.ts'

/** A request of a visitor whose key and origin were found good. */
export type Visit = {
  readonly exchange: HttpContext
  readonly workspaceId: string
  readonly widgetKey: string
  readonly clientAddress: string
  /** The `{parameters}` of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** One public operation. HEAD is answered like GET. */
export type WidgetOperation = WidgetEndpoint & { handle(visit: Visit): Promise<void> }

/** 16 KiB: nothing that a visitor sends is larger. */
export const largestBody = 16_384
