import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../shell-route.ts'

export const supervisorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/supervisor',
    component: lazyRouteComponent(() => import('./wallboard/wallboard-screen.tsx'), 'WallboardScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/supervisor/history',
    validateSearch: (search: Readonly<Record<string, unknown>>) => textsOf(search, ['from', 'to', 'by', 'agent', 'campaign', 'view']),
    component: lazyRouteComponent(() => import('./history/history-screen.tsx'), 'HistoryScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/supervisor/days',
    validateSearch: (search: Readonly<Record<string, unknown>>) => textsOf(search, ['agent', 'date']),
    component: lazyRouteComponent(() => import('./timeline/days-screen.tsx'), 'DaysScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/supervisor/alerts',
    component: lazyRouteComponent(() => import('./alerts/alerts-screen.tsx'), 'AlertsScreen'),
  }),
]

/** The named parts of an address that are texts. What they mean is checked by the screen. */
function textsOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Part in Name]?: string } {
  const found: { [Part in Name]?: string } = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') found[name] = value
  }
  return found
}
