import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.*;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.store.MMapDirectory;

/**
 * Store search by Lucene behind a bare HTTP server of one thread. Reads a store per line from standard input, with tabs
 * between latitude, longitude, rating, terms, open ranges in UTC minutes of the week, and document. Prints its port.
 */
class LuceneServer {
  static final double METERS_PER_MILE = 1609.344;
  static final double EARTH_RADIUS_MILES = 6371.0088 / 1.609344;
  static final int MINUTES_PER_WEEK = 10_080;
  /** The first Monday, in minutes of the epoch. */
  static final int FIRST_MONDAY_MINUTES = 4 * 1440;
  static final int MAX_PAGE_BYTES = 1 << 20;
  static final int HEAD_BYTES = 8 * 1024;
  /** Distance with half the score. Scores have 32 bits, which tell apart stores that differ by a meter at 20 miles. */
  static final double PIVOT_METERS = 5000;

  final List<byte[]> documents = new ArrayList<>();
  final List<double[]> places = new ArrayList<>();
  final ByteBuffer answer = ByteBuffer.allocateDirect(MAX_PAGE_BYTES);
  IndexSearcher searcher;

  public static void main(String[] args) throws IOException {
    LuceneServer server = new LuceneServer();
    server.index(Path.of(args[0]));
    server.serve();
  }

  /** Documents keep their sequence in one segment, so a document number is a position in `documents`. */
  void index(Path folder) throws IOException {
    MMapDirectory directory = new MMapDirectory(folder);
    IndexWriterConfig config = new IndexWriterConfig().setRAMBufferSizeMB(512).setMergePolicy(new LogDocMergePolicy());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
      for (String line; (line = lines.readLine()) != null; ) writer.addDocument(read(line.split("\t")));
      writer.forceMerge(1);
    }
    searcher = new IndexSearcher(DirectoryReader.open(directory));
  }

  Document read(String[] fields) throws IOException {
    double latitude = Double.parseDouble(fields[0]);
    double longitude = Double.parseDouble(fields[1]);
    Document document = new Document();
    document.add(new LatLonPoint("at", latitude, longitude));
    document.add(new LatLonDocValuesField("at", latitude, longitude));
    if (!fields[2].isEmpty()) {
      document.add(new DoublePoint("rating", Double.parseDouble(fields[2])));
      document.add(new DoubleDocValuesField("rating", Double.parseDouble(fields[2])));
    }
    for (String term : fields[3].split(",")) {
      document.add(new StringField(term.substring(0, 1), term.substring(1), Field.Store.NO));
    }
    for (String range : fields[4].isEmpty() ? new String[0] : fields[4].split(",")) {
      String[] ends = range.split("-");
      int[] last = {Integer.parseInt(ends[1]) - 1};
      document.add(new IntRange("open", new int[] {Integer.parseInt(ends[0])}, last));
    }
    documents.add(fields[5].getBytes("UTF-8"));
    places.add(new double[] {Math.toRadians(latitude), Math.toRadians(longitude)});
    return document;
  }

  ScoreDoc[] search(Map<String, String> given, double latitude, double longitude) throws IOException {
    if (given.size() == 2) return LatLonPointPrototypeQueries.nearest(searcher, "at", latitude, longitude, 100).scoreDocs;
    BooleanQuery.Builder query = new BooleanQuery.Builder().add(new MatchAllDocsQuery(), Occur.FILTER);
    if (given.containsKey("pickup")) query.add(new TermQuery(new Term("m", "delivery")), Occur.FILTER);
    if (given.containsKey("cuisine")) query.add(new TermQuery(new Term("c", given.get("cuisine"))), Occur.FILTER);
    if (given.containsKey("minimum_rating")) {
      double minimum = Double.parseDouble(given.get("minimum_rating"));
      query.add(DoublePoint.newRangeQuery("rating", minimum, Double.POSITIVE_INFINITY), Occur.FILTER);
    }
    if (given.containsKey("maximum_miles")) {
      double meters = Double.parseDouble(given.get("maximum_miles")) * METERS_PER_MILE;
      query.add(LatLonPoint.newDistanceQuery("at", latitude, longitude, meters), Occur.FILTER);
    }
    if (given.containsKey("open")) {
      int[] now = {(int) ((System.currentTimeMillis() / 60_000 - FIRST_MONDAY_MINUTES) % MINUTES_PER_WEEK)};
      query.add(IntRange.newContainsQuery("open", now, now), Occur.FILTER);
    }
    String[] words = given.containsKey("query") ? wordsOf(given.get("query")) : new String[0];
    for (int nth = 0; nth < words.length; nth++) {
      TermQuery word = new TermQuery(new Term("w", words[nth]));
      boolean isLast = nth == words.length - 1;
      query.add(isLast ? new PrefixQuery(word.getTerm()) : word, Occur.FILTER);
      // Whole words come first.
      if (isLast) query.add(new BoostQuery(new ConstantScoreQuery(word), 2), Occur.SHOULD);
    }
    if (given.containsKey("sort")) {
      SortField rating = new SortField("rating", SortField.Type.DOUBLE, true);
      rating.setMissingValue(Double.NEGATIVE_INFINITY);
      SortField distance = LatLonDocValuesField.newDistanceSort("at", latitude, longitude);
      return searcher.search(query.build(), 100, new Sort(rating, distance)).scoreDocs;
    }
    // Unlike a sort, this score lets Lucene skip documents that are too far away.
    query.add(LatLonPoint.newDistanceFeatureQuery("at", 1, latitude, longitude, PIVOT_METERS), Occur.SHOULD);
    return searcher.search(query.build(), words.length > 0 ? 20 : 100).scoreDocs;
  }

  static String[] wordsOf(String text) {
    String plain = text.toLowerCase().replaceAll("['’‘‛`´ʼʻʹ′＇]", "");
    String folded = Normalizer.normalize(plain, Normalizer.Form.NFKD).replaceAll("\\p{M}+", "");
    return folded.strip().split("[^\\p{L}\\p{N}]+");
  }

  /** Writes head and page into one buffer, the head last, because it has the length. */
  ByteBuffer answerTo(String target) throws IOException {
    answer.clear().position(HEAD_BYTES);
    writePage(target.substring(target.indexOf('?') + 1));
    int length = answer.position() - HEAD_BYTES;
    String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n";
    answer.flip().position(HEAD_BYTES - head.length()).mark();
    return answer.put(head.getBytes()).reset();
  }

  void writePage(String pairs) throws IOException {
    Map<String, String> given = new HashMap<>();
    for (String pair : pairs.split("&")) {
      String[] sides = pair.split("=", 2);
      given.put(sides[0], URLDecoder.decode(sides[1], "UTF-8"));
    }
    double latitude = Double.parseDouble(given.get("latitude"));
    double longitude = Double.parseDouble(given.get("longitude"));
    put("{\"stores\":[");
    String separator = "";
    for (ScoreDoc found : search(given, latitude, longitude)) {
      double[] place = places.get(found.doc);
      double north = Math.sin((place[0] - Math.toRadians(latitude)) / 2);
      double east = Math.sin((place[1] - Math.toRadians(longitude)) / 2);
      double half = north * north + Math.cos(Math.toRadians(latitude)) * Math.cos(place[0]) * east * east;
      put(separator);
      answer.put(documents.get(found.doc));
      put(Math.round(200 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(half))) / 100.0 + "}");
      separator = ",";
    }
    put("],\"next_page\":1}");
  }

  void put(String ascii) {
    for (int at = 0; at < ascii.length(); at++) answer.put((byte) ascii.charAt(at));
  }

  void serve() throws IOException {
    Selector selector = Selector.open();
    ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
    for (; ; selector.selectedKeys().clear()) {
      selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        if (key.isReadable()) answer((SocketChannel) key.channel(), (ByteBuffer) key.attachment());
        else server.accept().setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false)
            .register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(HEAD_BYTES));
      }
    }
  }

  /** Answers a request once its head is complete. Clients send one at a time. */
  void answer(SocketChannel socket, ByteBuffer read) throws IOException {
    if (socket.read(read) < 0) socket.close();
    String head = new String(read.array(), 0, read.position(), "ISO-8859-1");
    if (!head.endsWith("\r\n\r\n")) return;
    read.clear();
    ByteBuffer whole = answerTo(head.substring(head.indexOf(' ') + 1, head.indexOf(" HTTP/")));
    while (whole.hasRemaining()) socket.write(whole);
  }
}
