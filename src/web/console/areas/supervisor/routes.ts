import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../app/shell-route.ts'

export const supervisorRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/supervisor',
    component: lazyRouteComponent(() => import('./wallboard-screen.tsx'), 'WallboardScreen'),
  }),
]
