import { keyTables } from './contest-yaml.ts'
import { heading } from './markdown.ts'

/** Returns every key of config.yaml and of a project's .paddock.yaml. */
export function configurationPage(user: unknown, project: unknown): string {
  return [
    heading('Configuration', 'src/config/schema.ts'),
    'Two files have one form: `config.yaml` in your configuration directory, and `.paddock.yaml` at the root of a project, which counts once you have agreed to it and may say less. Keys in bold have to be there; a key that is not listed is refused. For editors: [config.schema.json](config.schema.json), [project.schema.json](project.schema.json). How they are meant: [configuration](../guide/configuration.md).\n',
    'A _duration_ is a number and a unit (`500ms`, `90s`, `30m`, `2h`), a _size_ likewise (`200MB`, `512MiB`, `2GiB`).\n',
    '# config.yaml\n',
    ...keyTables(user, 'Keys of config.yaml'),
    '# .paddock.yaml\n',
    ...keyTables(project, 'Keys of .paddock.yaml').map((each) =>
      each
        .replace(/^## (run|agents)/, '## Project: $1')
        .replaceAll('](#run', '](#project-run')
        .replaceAll('](#agents', '](#project-agents'),
    ),
  ].join('\n')
}
