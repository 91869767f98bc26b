import type { ReadAppearance } from '../../features/widget/read-appearance.ts'
import type { ReadOffer } from '../../features/widget/read-availability.ts'
import { type BookingUseCases, bookingOperations } from './booking-operations.ts'
import { chatOperations, type ChatUseCases } from './chat-operations.ts'
import { widgetEndpoints } from './endpoints.ts'
import { sendJson } from './json.ts'
import { offerOperations } from './availability-operations.ts'
import type { WidgetOperation } from './operation.ts'

export type WidgetUseCases = BookingUseCases & ChatUseCases & { readonly readAppearance: ReadAppearance; readonly readOffer: ReadOffer }

/** Every public operation. */
export function widgetOperations({ readAppearance, readOffer, ...others }: WidgetUseCases): readonly WidgetOperation[] {
  return [
    {
      ...widgetEndpoints.config,
      handle: async ({ exchange, workspaceId }) => sendJson(exchange, await readAppearance(workspaceId)),
    },
    ...offerOperations(readOffer),
    ...bookingOperations(others),
    ...chatOperations(others),
  ]
}
