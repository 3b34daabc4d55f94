# An MCP server over standard input and output with one tool, in Perl, because every cell has it.
use strict;
use warnings;
use JSON::PP;

$| = 1;
while (my $line = <STDIN>) {
  my $request = decode_json($line);
  next unless exists $request->{id};
  my $method = $request->{method};
  my $result = {};
  if ($method eq 'initialize') {
    $result = {
      protocolVersion => $request->{params}{protocolVersion},
      capabilities => { tools => {} },
      serverInfo => { name => 'notes', version => '1' },
    };
  } elsif ($method eq 'tools/list') {
    my $schema = { type => 'object', properties => { topic => { type => 'string' } }, required => ['topic'] };
    $result = { tools => [{ name => 'read_note', description => 'Reads the note on a topic.', inputSchema => $schema }] };
  } elsif ($method eq 'tools/call') {
    $result = { content => [{ type => 'text', text => "The note on $request->{params}{arguments}{topic} says $ENV{NOTE}." }] };
  }
  print encode_json({ jsonrpc => '2.0', id => $request->{id}, result => $result }), "\n";
}
