import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../app/shell-route.ts'

export const administrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration',
    component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
  }),
]
