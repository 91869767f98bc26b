import type { HttpContext } from '../http/http-context.ts'

/** A request of a visitor whose key and origin were found good. */
export type Visit = {
  readonly exchange: HttpContext
  readonly workspaceId: string
  readonly widgetKey: string
  readonly clientAddress: string
  /** The `{parameters}` of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** One public operation. HEAD goes with GET. */
export type WidgetOperation = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters stand in braces: `/api/widget/bookings/{id}`. */
  readonly path: `/api/widget/${string}`
  handle(visit: Visit): Promise<void>
}

/** 16 KiB: nothing that a visitor sends is larger. */
export const largestBody = 16_384
