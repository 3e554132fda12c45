import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.languagetool.JLanguageTool;
import org.languagetool.language.AmericanEnglish;
import org.languagetool.rules.RuleMatch;

/**
 * Checks texts with a LanguageTool for which no server is published.
 *
 * Standard input: texts, each as its length in bytes (4 bytes, big endian) and its UTF-8.
 * Standard output, in the same form: a first answer once it is ready, the version; then one for
 * each text. An answer is "+" and a line for every match (rule, category, offset and length in
 * UTF-16 units, separated by tabs) or "-" and what went wrong.
 * Arguments: rules to switch off. It ends with its standard input, even within a check.
 */
public final class CheckTexts {
  private CheckTexts() {}

  public static void main(String[] disabledRules) throws Exception {
    DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
    // What LanguageTool itself prints must not get between the answers.
    System.setOut(System.err);
    BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> read(texts));
    reader.setDaemon(true);
    reader.start();

    JLanguageTool tool = new JLanguageTool(new AmericanEnglish());
    for (String rule : disabledRules) {
      tool.disableRule(rule);
    }
    // The first check loads dictionaries, and is no text's fault.
    tool.check("This is an test.");
    answer(answers, "+" + JLanguageTool.VERSION);
    while (true) {
      answer(answers, matches(tool, texts.take()));
    }
  }

  private static void read(BlockingQueue<String> texts) {
    try (DataInputStream input = new DataInputStream(new BufferedInputStream(System.in))) {
      while (true) {
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        texts.add(new String(bytes, StandardCharsets.UTF_8));
      }
    } catch (EOFException end) {
      Runtime.getRuntime().halt(0);
    } catch (IOException error) {
      Runtime.getRuntime().halt(1);
    }
  }

  private static String matches(JLanguageTool tool, String text) {
    StringBuilder lines = new StringBuilder("+");
    try {
      for (RuleMatch match : tool.check(text)) {
        lines.append(match.getRule().getId()).append('\t');
        lines.append(match.getRule().getCategory().getName()).append('\t');
        lines.append(match.getFromPos()).append('\t');
        lines.append(match.getToPos() - match.getFromPos()).append('\n');
      }
    } catch (OutOfMemoryError error) {
      // The heap is no longer to be trusted.
      Runtime.getRuntime().halt(1);
    } catch (Exception | StackOverflowError error) {
      return "-" + error;
    }
    return lines.toString();
  }

  private static void answer(DataOutputStream answers, String answer) throws IOException {
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    answers.writeInt(bytes.length);
    answers.write(bytes);
    answers.flush();
  }
}
