import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../shell-route.ts'

export const administrationRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration',
    component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/team',
    component: lazyRouteComponent(() => import('./team/team-screen.tsx'), 'TeamScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/widget',
    component: lazyRouteComponent(() => import('./widget/widget-screen.tsx'), 'WidgetScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/webhooks',
    component: lazyRouteComponent(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/dead-letters',
    component: lazyRouteComponent(() => import('./dead-letters/dead-letters-screen.tsx'), 'DeadLettersScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/audit',
    component: lazyRouteComponent(() => import('./audit/audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/health',
    component: lazyRouteComponent(() => import('./health/health-screen.tsx'), 'HealthScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/setup',
    component: lazyRouteComponent(() => import('./setup/setup-screen.tsx'), 'SetupScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/configuration',
    component: lazyRouteComponent(() => import('./configuration/configuration-screen.tsx'), 'ConfigurationScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/configuration/$section',
    component: lazyRouteComponent(() => import('./configuration/section-screen.tsx'), 'SectionScreen'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/administration/configuration/$section/history',
    component: lazyRouteComponent(() => import('./configuration/history-screen.tsx'), 'HistoryScreen'),
  }),
]
