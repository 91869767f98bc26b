import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../shell-route.ts'

export const deskRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk',
    component: lazyRouteComponent(() => import('./desk-screen.tsx'), 'DeskScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/callbacks',
    component: lazyRouteComponent(() => import('./worklist/worklist-screen.tsx'), 'WorklistScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk/recent',
    component: lazyRouteComponent(() => import('./recent/recent-screen.tsx'), 'RecentScreen'),
  }),
]
