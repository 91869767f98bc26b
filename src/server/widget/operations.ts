import { readAppearance } from '../../features/widget/read-appearance.ts'
import { availabilityOperations } from './availability-operations.ts'
import { bookingOperations } from './booking-operations.ts'
import { chatOperations } from './chat-operations.ts'
import { widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import type { WidgetOperation } from './operation.ts'

/** All public operations. */
export const widgetOperations: readonly WidgetOperation[] = [
  {
    ...widgetEndpoints.config,
    handle: async (ports, { ctx, workspaceId }) => sendJson(ctx, await readAppearance(ports, workspaceId)),
  },
  ...availabilityOperations,
  ...bookingOperations,
  ...chatOperations,
]
