import type { WidgetPorts } from '../../features/widget/widget-ports.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { WidgetEndpoint } from './endpoints.ts'

/** A visitor's request whose key and origin are valid. */
export type Visit = {
  readonly ctx: HttpContext
  readonly workspaceId: string
  readonly widgetKey: string
  readonly clientAddress: string
  /** The `{parameters}` of the path, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** One public operation. GET includes HEAD. */
export type WidgetOperation = WidgetEndpoint & { handle(ports: WidgetPorts, visit: Visit): Promise<void> }

/** 16 KiB: more than any valid body. */
export const maxBodyBytes = 16_384
