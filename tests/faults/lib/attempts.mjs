// The attempts of tests/fixtures/plugins/hostile, one row each, and why each must fail. A row:
//   name     the attempt
//   on       its target, a name of `targets` in lib/house.mjs
//   via      another spelling of the target's path
//   text, number, pid   further arguments; `small` is the number where nothing stops it
//   why      the wall that it meets
//   memory   made in a worker without sanitizers
//   ends     the worker may be ended instead of hearing a refusal
//   alone    what it does in a process without walls: 'succeeded' unless said otherwise; a text in
//            brackets says why that is not tried
//   expect   for what is allowed and harmless: 'succeeded', 'nothing'
//   check    looks at the answer and the server: see the checks of hostile.test.mjs
const mebibyte = 1 << 20;
const gibibyte = 2 ** 30;

const noFile = 'no file is granted';
const noMetadata = 'names, owners, modes and times are none of its business';
const noFolder = 'no folder is granted';
const notTheirs = '/proc of other processes is out of reach';
const noSocket = 'it has one socket, to the host';
const noPower = 'no plugin has business with this system call';
const bounded = 'a limit of the worker';

const rows = (names, why, row = {}) => names.map((name) => ({ name, why, ...row }));
const each = (key, values, row) => values.map((value) => ({ ...row, [key]: value }));

const bytes = ['read', 'write', 'open_for_writing', 'open_truncating', 'append', 'open_again', 'open_by_name_only',
  'truncate', 'map', 'change_folder'];
const metadata = ['rename', 'rename_over', 'unlink', 'link', 'mode', 'owner', 'times', 'attributes', 'watch'];
const detours = ['symlink', 'folder', 'root', 'thread', 'parent', 'cwd', 'up'];

const files = [
  ...rows(bytes, noFile, { on: 'database' }),
  ...rows(metadata, noMetadata, { on: 'database' }),
  ...['read', 'write', 'open_again', 'open_by_name_only'].flatMap((name) =>
    each('via', detours, { name, why: `${noFile}, however it is called`, on: 'database' })),
  ...['truncate', 'mode', 'times', 'rename', 'unlink'].flatMap((name) =>
    each('via', ['folder', 'root', 'parent'], { name, why: `${noMetadata}, however it is called`, on: 'database' })),
  ...rows(['read', 'write', 'open_truncating', 'map', 'rename_over', 'unlink', 'link', 'mode', 'watch'], noFile, { on: 'configuration' }),
  ...rows(['read', 'write', 'truncate', 'unlink', 'mode'], noFile, { on: 'stateFile' }),
  ...rows(['open_for_writing', 'open_truncating', 'append', 'rename_over', 'unlink', 'mode', 'times'],
    'the watched directory holds the operator\'s files', { on: 'plugin' }),
  // Only attempts that leave the build intact where the walls are missing.
  ...rows(['open_for_writing'], 'built-in plugins stay unchanged', { on: 'builtin', alone: '(the same as for the database)' }),
  ...rows(['open_for_writing'], 'programs stay unchanged', { on: 'host', alone: '(the file is being executed)' }),
  ...rows(['read'], 'files of the system that hold secrets', { on: 'shadow' }),
  ...each('on', ['corePattern', 'sysrq', 'ownMemoryLimit'], {
    name: 'open_for_writing', why: 'settings of the kernel', alone: '(this would be done to the machine of the test)' }),
];

const folders = [
  ...['stateFolder', 'databaseFolder', 'configurationFolder', 'pluginFolder', 'controlFolder', 'temporaryRoot', 'home'].flatMap((on) =>
    rows(['list', 'add_names', 'plant'], noFolder, { on, text: 'hostile' })),
  ...each('on', ['root', 'processFolder'], { name: 'list', why: noFolder }),
  { name: 'watch', on: 'pluginFolder', why: noFolder },
  { name: 'watch', on: 'stateFolder', why: noFolder },
  { name: 'race', on: 'plugin', number: 300, why: 'nothing can be put over a file between look and use' },
  { name: 'race', on: 'database', number: 50, why: noFile },
  { name: 'litter', on: 'databaseFolder', number: 3000, small: 20, why: 'its files are removed and its links not followed',
    expect: 'succeeded', ends: true, check: 'litter' },
  { name: 'plant', why: 'its temporary directory is its own, and no loader looks there', text: 'hostile', expect: 'succeeded' },
];

const ofProcess = ['maps', 'smaps', 'environ', 'cmdline', 'status', 'stat', 'auxv', 'io', 'limits', 'mountinfo', 'cgroup',
  'comm', 'mem', 'exe', 'syscall', 'stack', 'pagemap', 'net/unix'];
const processes = [
  { name: 'processes', why: notTheirs },
  { name: 'proc_descriptors', why: notTheirs },
  { name: 'proc_memory', why: notTheirs },
  ...each('text', ofProcess, { name: 'proc_read', why: notTheirs }),
  ...each('text', ['environ', 'cmdline', 'maps'], { name: 'proc_read', pid: 1, why: notTheirs, alone: '(the first process of a machine may be guarded)' }),
  ...each('text', ['fd', 'fdinfo', 'task', 'root', 'cwd', 'ns', 'map_files'], { name: 'proc_list', why: notTheirs }),
  ...each('text', ['exe', 'cwd', 'root', 'fd/0'], { name: 'proc_link', why: notTheirs }),
  ...each('text', ['mem', 'comm', 'oom_score_adj', 'coredump_filter', 'timerslack_ns', 'clear_refs'], { name: 'proc_write', why: notTheirs }),
];

const sockets = [
  { name: 'connect_path', on: 'control', why: noSocket },
  { name: 'connect_abstract', text: 'abstract', why: noSocket },
  { name: 'connect_tcp', number: 'port', why: noSocket },
  { name: 'send_udp', why: noSocket },
  { name: 'listen_tcp', number: 0, why: noSocket },
  { name: 'listen_local', text: 'gantry-hostile-listens', why: noSocket },
  { name: 'datagrams', on: 'control', text: 'abstract', why: 'pairs reach other sockets unless they are streams' },
  { name: 'socket_families', why: noSocket },
  { name: 'bind_channel', text: 'gantry-hostile', why: 'no socket of its own gets a name' },
  { name: 'peer_process', why: 'the socket\'s other end is no handle on the host' },
];

const channel = [
  { name: 'pass_descriptors', why: 'the host takes no descriptors', ends: true, check: 'descriptors' },
  { name: 'garbage', why: 'a frame that breaks the protocol ends the worker alone', expect: 'ended', alone: '(it waits for its end)' },
  { name: 'flood_errors', number: 20 * mebibyte, small: 4096, why: 'its output has a rate', expect: 'nothing', check: 'log', alone: 'nothing' },
  { name: 'flood_output', number: 20 * mebibyte, small: 4096, why: 'its output has a rate', expect: 'nothing', check: 'log', alone: 'nothing' },
  { name: 'flood_log', number: 20 * mebibyte, why: 'its log lines have a rate', expect: 'nothing', check: 'log', alone: 'nothing', ends: true },
];

const descriptors = [
  { name: 'inherited', why: 'it has three standard streams, its socket and its own library', expect: 'nothing', check: 'inherited', alone: 'nothing' },
  { name: 'environment', why: 'its environment holds no secret of the host', expect: 'nothing', check: 'environment', alone: 'nothing' },
  { name: 'own_library', why: 'the hashed file is sealed', alone: '(the file of a running program is busy)' },
];

const memory = [
  { name: 'eat_anonymous', number: 2 * gibibyte, small: 64 * mebibyte, why: bounded, ends: true, memory: true },
  { name: 'eat_shared', number: 2 * gibibyte, small: 64 * mebibyte, why: bounded, ends: true, memory: true },
  { name: 'eat_memory_file', number: 2 * gibibyte, small: 64 * mebibyte, why: 'no memory that no limit counts', ends: true },
  { name: 'eat_dev_shm', number: 1.5 * gibibyte, small: mebibyte, why: 'no memory that no limit counts', ends: true },
  { name: 'eat_pipes', number: 512 * mebibyte, small: 16 * mebibyte, why: 'pipes and their sizes are bounded' },
  { name: 'system_v', number: 4711, why: 'no memory that no limit counts' },
  { name: 'message_queue', why: 'no memory that no limit counts' },
];

const running = [
  { name: 'threads', number: 3000, small: 100, why: bounded, ends: true },
  { name: 'processes_made', why: 'it may not start anything' },
  { name: 'vfork', why: 'it may not start anything' },
  { name: 'own_table', why: bounded },
  { name: 'execute', why: 'it may not start anything' },
  { name: 'execute', on: 'host', why: 'it may not start anything', alone: '(the same as a shell)' },
  { name: 'execute_script', why: 'it may not start anything' },
  { name: 'execute_memory', why: 'it may not start anything' },
];

const disk = [
  ...rows(['fill_one_file', 'fill_allocated', 'fill_named_files', 'fill_unnamed_files'], bounded,
    { number: 3 * gibibyte, small: 8 * mebibyte, ends: true }),
  { name: 'fill_beyond_the_end', number: 3 * gibibyte, small: mebibyte, why: bounded },
  { name: 'pin_by_rules', why: bounded },
  { name: 'fill_empty_files', number: 100_000, small: 100, why: bounded, ends: true },
];

const meddling = [
  ...rows(['kill_parent', 'kill_group', 'own_by_parent'], 'signals stay inside'),
  { name: 'leave_group', why: 'it ends with its group' },
  ...rows(['limit_parent', 'schedule_parent', 'schedule_user'], 'limits and priorities of others are theirs'),
  { name: 'limit_self', why: 'limits stay as they were set' },
  { name: 'untie', why: 'it ends with its host' },
  { name: 'expose', why: 'its own memory is no road for other plugins' },
  { name: 'regain', why: 'dropped rights are gone' },
];

const kernel = [
  ...rows(['io_uring', 'userfaultfd', 'trace', 'pidfd', 'foreign_memory', 'observe', 'keys', 'machine', 'terminal'], noPower),
  { name: 'handle', on: 'database', why: noPower },
  { name: 'other_doors', why: 'the filter stands at every door of the kernel', alone: '(a kernel may lack these doors)' },
  ...rows(['leave_namespaces', 'enter_namespaces', 'namespaces_at_birth', 'mounts'], noPower),
  ...each('on', ['machineMemory', 'kernelMemory', 'ports', 'terminalDevice', 'pseudoTerminals', 'kernelLog', 'tunnel', 'loops'],
    { name: 'device', why: 'devices are files', alone: '(not every machine has it)' }),
  { name: 'root_device', why: 'devices are files', alone: '(a container may be kept from them)' },
  { name: 'make_devices', why: 'devices cannot be made' },
];

export const attempts = [...files, ...folders, ...processes, ...sockets, ...channel, ...descriptors, ...memory, ...running,
  ...disk, ...meddling, ...kernel];

/** A title that is unique for the row. */
export const title = ({ name, on, via, text, pid, why }) =>
  [name, on, via && `by ${via}`, text, pid && `of ${pid}`].filter(Boolean).join(' ') + `: ${why}`;
