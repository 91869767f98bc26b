import type { ReadAppearance } from '../../widget/read-appearance.ts'
import { sendJson } from './json.ts'
import type { WidgetOperation } from './operation.ts'

export type WidgetUseCases = { readonly readAppearance: ReadAppearance }

/** Every public operation. */
export function widgetOperations({ readAppearance }: WidgetUseCases): readonly WidgetOperation[] {
  return [
    {
      method: 'GET',
      path: '/api/widget/config',
      handle: async ({ exchange, workspaceId }) => sendJson(exchange, await readAppearance(workspaceId)),
    },
  ]
}
