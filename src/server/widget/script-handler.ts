import { readBuilt } from '../../kernel/built-files.ts'
import type { Handler } from '../http/http-context.ts'
import { preparedHandler } from '../http/prepared-response.ts'

/** `GET /widget.js`: the built widget, for a script tag on any site. Browsers cache it for an hour. */
export function createWidgetScriptHandler(): Handler {
  return preparedHandler(() => ({
    contentType: 'text/javascript; charset=utf-8',
    body: readBuilt('widget.js'),
    headers: {
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  }))
}
