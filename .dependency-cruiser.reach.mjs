// What a process loads, however indirectly. Types are not loaded, so this is another graph than the one of the floors.
export default {
  forbidden: [
    {
      name: 'server-loads-no-cells',
      severity: 'error',
      comment: 'Planning, gateways and the SDK of models belong in host processes: they block the loop, read hostile bytes or take 100 MB.',
      from: { path: '^src/server/' },
      to: { path: '^src/(?:cell/|fleet/model/|host\\.ts$)', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
